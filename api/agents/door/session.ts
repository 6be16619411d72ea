import { createHmac, randomBytes, timingSafeEqual } from 'node:crypto'
import type { AgentAccess } from '../../oauth/agent-tokens.ts'
import type { AgentService } from '../service.ts'

type Deps = Pick<AgentService, 'shortTerm' | 'secrets' | 'now'>

/** How long a session lasts. Whoever comes later begins a new one. */
const LASTS_MS = 7 * 24 * 60 * 60_000

/** Kind of the records of sessions that were ended before their time. */
const ENDED = 'agents/ended_session'

const ID = /^([A-Za-z0-9_-]{22})\.(\d{13})\.([A-Za-z0-9_-]{43})$/

/** Returns the signature of an id. It is bound to the user and the program, so the id is worth nothing to others. */
const signatureOf = ({ secrets }: Deps, { userId, clientId }: AgentAccess, nonce: string, until: number): string =>
  createHmac('sha256', secrets.derive('agent-session', 'id'))
    .update(JSON.stringify([userId, clientId, nonce, until]))
    .digest('base64url')

/** Returns the id of a new session. Nothing is stored: the signature is all that says that it is one, so it survives a restart. */
export const newSession = (deps: Deps, access: AgentAccess): string => {
  const nonce = randomBytes(16).toString('base64url')
  const until = deps.now() + LASTS_MS
  return `${nonce}.${until}.${signatureOf(deps, access, nonce, until)}`
}

const endedKey = (id: string) => ({ kind: ENDED, key: id.split('.', 1)[0]! })

/** Whether a session is one of this user and program that has not ended. */
export const isSession = async (deps: Deps, access: AgentAccess, id: string): Promise<boolean> => {
  const [, nonce = '', time, signature = ''] = ID.exec(id) ?? []
  const now = deps.now()
  if (Number(time) <= now || time === undefined) return false
  const expected = signatureOf(deps, access, nonce, Number(time))
  if (!timingSafeEqual(Buffer.from(signature), Buffer.from(expected))) return false
  return (await deps.shortTerm.get(endedKey(id), now)) === undefined
}

/** Ends a session that is one. */
export const endSession = (deps: Deps, id: string): Promise<void> =>
  deps.shortTerm.put(endedKey(id), { data: {}, until: deps.now() + LASTS_MS })
