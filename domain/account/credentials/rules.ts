import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type Events, rules } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { credential, type LinkPurpose, type UserLink, type UserSession, withinHour } from './model.ts'
import { type Factor, secondFactorActs, spendFactor } from './second-factor-rules.ts'

const { event } = credential

/** Credentials of a user. */
export type Credentials = RecordOf<typeof credential>
type Happens = Events<typeof credential>
type Of<Input = unknown> = ActContext<typeof credential, Input>

const HOUR_MS = 60 * 60_000

/** Links that a user is mailed within an hour, however often they are asked for. The first still works when there are no more. */
const MOST_LINKS = 3
const LINK_MS: Readonly<Record<LinkPurpose, number>> = { sign_in: HOUR_MS, reset: HOUR_MS, first: 24 * HOUR_MS }
const SESSION_MS = 30 * 24 * HOUR_MS

const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

interface Wished {
  readonly purpose: LinkPurpose
  readonly to: string | null
}

const linkOf = ({ before, at, wanted: { purpose, to } }: Of<Wished>): UserLink => ({
  ...{ number: before.link_count + 1, purpose, expires_at: after(at, LINK_MS[purpose]), to },
})

/** Asks for a link by mail, as long as there have not been too many: whoever asks learns nothing of either. */
const askLink = (context: Of<Wished>): Happens =>
  withinHour(context.before.asked, context.at).length >= MOST_LINKS ? [] : [event.UserLinkAsked(linkOf(context))]

/** Issues a link that the operator hands over. */
const issueLink = (context: Of<Wished>): Happens => [event.UserLinkIssued(linkOf(context))]

/** Returns a link that can still be used at a time. */
export const usableUserLink = (
  { links }: Pick<Credentials, 'links'>,
  number: number,
  at: string,
): UserLink | undefined => links.find((one) => one.number === number && one.expires_at > at)

/** Returns the session of a digest that has not ended at a time. */
export const openUserSession = (
  { sessions }: Pick<Credentials, 'sessions'>,
  digest: string,
  at: string,
): UserSession | undefined => sessions.find((one) => one.digest === digest && one.expires_at > at)

const usedUp = (): Refusal => refuse.conflict('The link was used, or is too old', 'link', 'expired')
const ended = (): Refusal => refuse.conflict('The session has ended', 'session', 'expired')

interface SignIn {
  readonly digest: string
  /** What the browser calls itself. */
  readonly browser?: string | null
  /** What was shown besides a password or a link. */
  readonly factor?: Factor | null
  /** Generation that the credentials had when what proves the user was looked at. */
  readonly generation: number
  /** Number of the link, if it is one by which somebody signs in. */
  readonly number: number | null
}

/** Signs a browser in. What was proved before all had to end counts no more. */
const signIn = ({ before, at, wanted }: Of<SignIn>): Happens | Refusal => {
  const { digest, factor = null, browser = null, generation, number } = wanted
  if (generation !== before.generation) return ended()
  if (number !== null && !usableUserLink(before, number, at)) return usedUp()
  const used = spendFactor(before, factor)
  if (used instanceof Refusal) return used
  const begun = { digest, expires_at: after(at, SESSION_MS), second_factor: factor !== null }
  const session = event.UserSignedIn({ ...begun, ...(browser !== null && { browser }) })
  return [...(number === null ? [] : [event.UserLinkUsed()]), ...used, session]
}

const signOut = ({ before, wanted: { digest } }: Of<{ readonly digest: string }>): Happens =>
  before.sessions.some((one) => one.digest === digest) ? [event.UserSignedOut({ digest })] : []

/** Signs out of all browsers but one. */
const signOutElsewhere = ({ before, wanted: { digest } }: Of<{ readonly digest: string }>): Happens =>
  before.sessions.some((one) => one.digest !== digest) ? [event.UserSignedOutElsewhere({ digest })] : []

interface NewPassword {
  readonly password: string
  /** Connections of applications that the user ends too. Default: none. */
  readonly disconnects?: readonly number[]
}

interface Change extends NewPassword {
  /** Session of the browser in which it is done, and its digest from now on. */
  readonly former_digest: string
  readonly digest: string
  readonly generation: number
}

const disconnected = ({ disconnects: connection_ids = [] }: NewPassword): Happens =>
  connection_ids.length > 0 ? [event.UserApplicationsDisconnected({ connection_ids })] : []

/** Changes the password in a browser that is signed in, and ends everything else that was handed out. */
const changePassword = ({ before, at, wanted }: Of<Change>): Happens | Refusal => {
  const { former_digest, digest, password, generation } = wanted
  const session = openUserSession(before, former_digest, at)
  if (!session || generation !== before.generation) return ended()
  const changed = event.UserPasswordChanged({ password, generation: generation + 1, session: { ...session, digest } })
  return [changed, ...disconnected(wanted)]
}

/** Sets another password by a link, and ends everything that was handed out. */
const resetPassword = ({ before, at, wanted }: Of<NewPassword & { readonly number: number }>): Happens | Refusal =>
  usableUserLink(before, wanted.number, at)?.purpose === 'reset'
    ? [
        event.UserPasswordReset({ password: wanted.password, generation: before.generation + 1 }),
        ...disconnected(wanted),
      ]
    : usedUp()

/** Ends everything that was handed out. */
const resetAccess = ({ before: { generation } }: Of): Happens => [event.UserAccessReset({ generation: generation + 1 })]

/** Decider of the credentials of users. */
export const credentials = decider(credential, {
  rules: rules(credential, {
    acts: {
      askLink,
      issueLink,
      signIn,
      signOut,
      signOutElsewhere,
      changePassword,
      resetPassword,
      resetAccess,
      ...secondFactorActs,
    },
  }),
})
