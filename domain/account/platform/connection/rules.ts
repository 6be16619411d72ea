import { decider } from '../../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../../kernel/values/refusal.ts'
import { allowsNoMore, IGNORED_SCOPES, SCOPES } from '../../../kernel/values/scopes.ts'
import { platformApplication } from '../application/model.ts'
import { connection, platformToken } from './model.ts'

const { event } = connection

type Connection = typeof connection
type Happens = Events<Connection>

/** Tokens of one kind that a connection has at once. The oldest makes room for the next. */
export const MOST_TOKENS = 50

/** Scopes that an application may ask for. */
export const REQUESTABLE_SCOPES: ReadonlySet<string> = new Set([...SCOPES, ...IGNORED_SCOPES])

const loadFacts = async ({ workspaceId, after }: DecisionContext<Connection>, read: Reader) => ({
  application: await read.everywhere.one(platformApplication, after.platform_application_id),
  workspace: await read.documents.get('workspace', workspaceId),
  membership: await read.documents.get('membership', Number(after.membership_id)),
})

type Facts = Awaited<ReturnType<typeof loadFacts>>

const unknownScope = (scopes: readonly string[]): Refusal | undefined => {
  const unknown = scopes.find((scope) => !REQUESTABLE_SCOPES.has(scope))
  return unknown === undefined
    ? undefined
    : refuse.invalid(`Scopes has an unknown one: ${unknown}`, 'scopes', 'inclusion')
}

/** Connects an application with a workspace of a team that the person is a member of. Applications of other teams must be shared. */
const connect = (
  { after: { user_id, scopes } }: DecisionContext<Connection>,
  { application, workspace, membership }: Facts,
): Refusal | undefined => {
  if (!application) return refuse.invalid('Platform application must exist', 'platform_application_id', 'not_found')
  const isMember =
    membership?.user_id === user_id && membership.team_id === workspace?.team_id && membership.platform_agent !== true
  if (!workspace || !isMember) return refuse.invalid('Membership must exist', 'membership_id', 'not_found')
  if (!application.shared && application.team_id !== workspace.team_id)
    return refuse.forbidden('this application is only for its own team', 'platform_application_id', 'shared')
  return unknownScope(scopes)
}

const tokensOf = ({ records }: Pick<ActContext<Connection>, 'records'>) => records.all(platformToken)

const revoked = (tokens: readonly { readonly id: number }[]): Happens =>
  tokens.map(({ id }) => event.PlatformTokenRevoked({ platform_token_id: id }))

/** Takes the scopes that the person agreed to last. Tokens that allow more end. */
const reconnect = (context: ActContext<Connection, { readonly scopes: readonly string[] }>): Happens | Refusal => {
  const { before, wanted } = context
  const refusal = unknownScope(wanted.scopes)
  if (refusal) return refusal
  if (before.scopes.join(' ') === wanted.scopes.join(' ')) return []
  const tooMuch = tokensOf(context).filter(({ scopes }) => !allowsNoMore(scopes, wanted.scopes))
  return [event.PlatformApplicationReconnected({ scopes: wanted.scopes }), ...revoked(tooMuch)]
}

/** Issues a token that allows no more than the connection. */
const issue = (context: DecisionContext<typeof platformToken>): Happens | Refusal => {
  const { id, after, records } = context
  const { hash, kind, scopes } = after
  if (unknownScope(scopes) || !allowsNoMore(scopes, records.root(connection)?.scopes ?? []))
    return refuse.invalid('Scopes allow more than the connection does', 'scopes', 'inclusion')
  const older = tokensOf(context).filter((token) => token.kind === kind)
  return [
    event.PlatformTokenIssued({ platform_token_id: id, hash, kind, scopes }),
    ...revoked(older.slice(0, Math.max(0, older.length + 1 - MOST_TOKENS))),
  ]
}

/** Decider of the connections of platform applications, with their tokens. */
export const connections = decider(connection, {
  rules: rules(connection, { loadFacts, save: [connect], acts: { reconnect } }),
  children: [rules(platformToken, { create: issue })],
})
