import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { MaybePromise } from '../../domain/kernel/values/maybe-promise.ts'
import { seesPersonalData } from '../../domain/kernel/values/scopes.ts'
import type { Caller } from '../../domain/resources/operation.ts'
import { AGENT_PREFIX } from '../bearer-tokens.ts'
import { hashToken } from '../token-hash.ts'
import { type Holder, holderIn } from './holder.ts'
import { enforcedScopes } from './scopes.ts'

/** What begins a refresh token of an agent. */
export const AGENT_REFRESH = 'mrar_'

/** Kind of the records of agents' access tokens in the short-term store. */
export const ACCESS_TOKENS = 'oauth/AccessToken'

/** Kind of the records of what agents were allowed. */
export const GRANTS = 'oauth/Grant'

/** Letters of the digest of a grant by which an agent's requests are counted and recorded. */
const GRANT_LETTERS = 16

/** What an agent may do with a token. */
export interface AgentAccess {
  readonly caller: Caller
  readonly clientId: string
  readonly userId: number
  readonly workspaceId: number
  /** Scopes as they were granted. */
  readonly scopes: readonly string[]
  /** Milliseconds since 1970. */
  readonly expiresAt: number
  readonly generation: number
}

export interface AgentTokenDeps {
  readonly shortTerm: Pick<ShortTermStore, 'get'>
  readonly everywhere: ReadModels
  /** Returns the number of a person's credentials now; `undefined` for somebody who cannot sign in. */
  readonly generationOf: (userId: number) => MaybePromise<number | undefined>
  /** Milliseconds since 1970. */
  readonly now: () => number
}

/** Membership by which a holder reaches the workspace now. */
interface Standing {
  readonly teamId: number
  readonly membershipId: number
}

/** Returns the membership by which a person reaches a workspace; `undefined` when it is gone. */
export const membershipOf = async (
  { everywhere: live }: Pick<AgentTokenDeps, 'everywhere'>,
  { userId, workspaceId }: Pick<Holder, 'userId' | 'workspaceId'>,
): Promise<Standing | undefined> => {
  const workspace = await live.get('workspace', workspaceId)
  if (!workspace) return undefined
  const teamId = Number(workspace.team_id)
  const [member] = await live.find('membership', { where: { team_id: teamId, user_id: userId }, limit: 1 })
  return member && { teamId, membershipId: Number(member.id) }
}

/** Returns the membership by which a holder still reaches the workspace; `undefined` when it is gone, or the person's credentials were reset. */
export const standingOf = async (
  deps: Pick<AgentTokenDeps, 'everywhere' | 'generationOf'>,
  holder: Holder,
): Promise<Standing | undefined> =>
  (await deps.generationOf(holder.userId)) === holder.generation ? membershipOf(deps, holder) : undefined

/** Tells whether a grant is still there. A token may have been written at the moment at which its grant was revoked. */
const hasGrant = async ({ shortTerm, now }: AgentTokenDeps, grantId: string): Promise<boolean> =>
  (await shortTerm.get({ kind: GRANTS, key: hashToken(grantId) }, now())) !== undefined

/** Creates the authentication of agents by their access tokens. All is read for every request, so what is revoked counts at once. */
export const agentTokens = (deps: AgentTokenDeps) => ({
  /** Returns what an agent may do with a token; `undefined` when it is none of an agent, has expired or was revoked. */
  async authenticate(token: string): Promise<AgentAccess | undefined> {
    if (!token.startsWith(AGENT_PREFIX)) return undefined
    const found = await deps.shortTerm.get({ kind: ACCESS_TOKENS, key: hashToken(token) }, deps.now())
    const holder = found && holderIn(found.accountId)
    if (!found || !holder || !(await hasGrant(deps, String(found.grantId)))) return undefined
    const standing = await standingOf(deps, holder)
    if (!standing) return undefined
    const { userId, workspaceId, generation } = holder
    const scopes = String(found.scope ?? '')
      .split(' ')
      .filter((scope) => scope !== '')
    const enforced = enforcedScopes(scopes)
    return {
      caller: {
        // All tokens of a grant count as one.
        tokenId: `agent:${hashToken(String(found.grantId)).slice(0, GRANT_LETTERS)}`,
        ...standing,
        workspaceId,
        userId,
        scopes: enforced,
        seesPersonalData: seesPersonalData(enforced),
      },
      clientId: String(found.clientId),
      userId,
      workspaceId,
      scopes,
      expiresAt: Number(found.exp) * 1000,
      generation,
    }
  },
})

export type AgentTokens = ReturnType<typeof agentTokens>
