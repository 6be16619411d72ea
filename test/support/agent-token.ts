import { randomBytes } from 'node:crypto'
import { AGENT_PREFIX } from '../../api/bearer-tokens.ts'
import { ACCESS_TOKENS, GRANTS } from '../../api/oauth/agent-tokens.ts'
import { type Holder, holderText } from '../../api/oauth/holder.ts'
import { hashToken } from '../../api/token-hash.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'

interface Wanted extends Omit<Holder, 'generation'> {
  readonly scopes: readonly string[]
  /** Default: 0, that of somebody who never had a reset. */
  readonly generation?: number
  /** Default: an agent of this helper. */
  readonly clientId?: string
  /** Default: in an hour. Milliseconds since 1970. */
  readonly expiresAt?: number
}

const HOUR_MS = 3_600_000

/** Makes an access token of an agent as the authorization server would issue it. @returns the token */
export const agentToken = async (
  shortTerm: ShortTermStore,
  { userId, workspaceId, generation = 0, scopes, clientId = 'test-agent', expiresAt = Date.now() + HOUR_MS }: Wanted,
): Promise<string> => {
  const token = `${AGENT_PREFIX}${randomBytes(32).toString('base64url')}`
  const grantId = randomBytes(16).toString('base64url')
  const group = hashToken(grantId)
  const shared = {
    accountId: holderText({ userId, workspaceId, generation }),
    clientId,
    exp: Math.floor(expiresAt / 1000),
  }
  const data = { ...shared, kind: 'AccessToken', grantId, scope: scopes.join(' ') }
  await shortTerm.put({ kind: GRANTS, key: group }, { data: { ...shared, kind: 'Grant' }, until: null, group })
  await shortTerm.put({ kind: ACCESS_TOKENS, key: hashToken(token) }, { data, until: expiresAt, group })
  return token
}

/** Returns the owner of a team: the first person among its members. */
export const ownerOf = async (live: ReadModels, teamId: number): Promise<number> => {
  const members = await live.find('membership', { where: { team_id: teamId } })
  const person = members.find(({ platform_agent }) => platform_agent !== true)
  if (!person) throw new Error('the team has no person')
  return Number(person.user_id)
}
