import { randomBytes } from 'node:crypto'
import type { AgentAccess } from '../../oauth/agent-tokens.ts'
import type { AgentService } from '../service.ts'

type Deps = Pick<AgentService, 'shortTerm' | 'secrets' | 'now'>

/** How long a session lasts. Whoever comes later begins a new one. */
const LASTS_MS = 7 * 24 * 60 * 60_000

/** Kind of the records of sessions that were ended before their time. */
const ENDED = 'agents/ended_session'

/** Session of an earlier protocol. */
export interface Session {
  readonly id: string
  /** Whether its client can ask its user. */
  readonly asks: boolean
}

const ID = /^([A-Za-z0-9_-]{22})\.(\d{13})\.([01])\.([A-Za-z0-9_-]{43})$/

const marksOf = ({ secrets }: Deps) => secrets.marks('agent-session', 'id')

/** Returns what is signed of an id. It is bound to the user and the program, so the id is worth nothing to others. */
const boundTo = ({ userId, clientId }: AgentAccess, signed: readonly string[]): string =>
  JSON.stringify([userId, clientId, ...signed])

/** Returns the id of a new session. Nothing is stored: the signature is all that says that it is one, so it survives a restart. */
export const newSession = (deps: Deps, access: AgentAccess, asks: boolean): string => {
  const signed = [randomBytes(16).toString('base64url'), String(deps.now() + LASTS_MS), asks ? '1' : '0']
  return [...signed, marksOf(deps).textOf(boundTo(access, signed))].join('.')
}

const endedKey = (id: string) => ({ kind: ENDED, key: id.split('.', 1)[0]! })

/** Returns the session of an id, if it is one of this user and program that has not ended. */
export const sessionOf = async (deps: Deps, access: AgentAccess, id: string): Promise<Session | undefined> => {
  const [, nonce = '', until = '', asks = '', signature = ''] = ID.exec(id) ?? []
  const now = deps.now()
  if (Number(until) <= now) return undefined
  if (!marksOf(deps).fits(signature, boundTo(access, [nonce, until, asks]))) return undefined
  const ended = await deps.shortTerm.get(endedKey(id), now)
  return ended ? undefined : { id, asks: asks === '1' }
}

/** Ends a session that is one. */
export const endSession = (deps: Deps, { id }: Session): Promise<void> =>
  deps.shortTerm.put(endedKey(id), { data: {}, until: deps.now() + LASTS_MS })
