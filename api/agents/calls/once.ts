import { hash, randomUUID } from 'node:crypto'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import type { Agent } from '../agent.ts'

/** How long the same call without a key counts as a repeat. */
const REPEAT_MS = 120_000

/** Kind of the records of calls that were carried out. */
const CALLS = 'agents/call'

/** Arguments that say how a call is to be made, not what it does. */
const ABOUT_THE_CALL: ReadonlySet<string> = new Set(['idempotency_key', 'repeat', 'confirmation_code', 'continue_at'])

const sorted = (_: string, value: unknown): unknown =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? Object.fromEntries(Object.entries(value).sort(([one], [other]) => (one < other ? -1 : 1)))
    : value

/** Returns the digest of what a call does, for whom. The order of its arguments does not count. */
export const digestOfCall = ({ access }: Agent, tool: string, input: JsonObject): string => {
  const wanted = Object.fromEntries(Object.entries(input).filter(([name]) => !ABOUT_THE_CALL.has(name)))
  const content = JSON.stringify([access.userId, access.clientId, access.workspaceId, tool, wanted], sorted)
  return hash('sha256', content, 'base64url')
}

const keyIn = (record: JsonObject | undefined): string | undefined =>
  typeof record?.key === 'string' ? record.key : undefined

/** Returns the key that follows from one that a client sent. */
const keyFrom = (sent: string): string => `agent:${hash('sha256', sent, 'base64url')}`

/** Returns the key of the same call of less than two minutes ago, if this is a repeat of it. A key of its own makes a call another one. */
export const keyOfRepeat = async (
  { service }: Agent,
  digest: string,
  { idempotency_key: sent, repeat }: JsonObject,
): Promise<string | undefined> => {
  const earlier = keyIn(await service.shortTerm.get({ kind: CALLS, key: digest }, service.now()))
  const isOther = typeof sent === 'string' && keyFrom(sent) !== earlier
  return repeat === true || isOther ? undefined : earlier
}

/**
 * Returns the key under which a call writes. The same call within two minutes has the same one, so that it is done once.
 *
 * @param repeat do it although it was done a moment ago
 */
export const keyOfCall = async (
  { service }: Agent,
  digest: string,
  { idempotency_key: sent, repeat }: JsonObject,
): Promise<string> => {
  const where = { kind: CALLS, key: digest }
  const now = service.now()
  const key = typeof sent === 'string' ? keyFrom(sent) : `agent:${randomUUID()}`
  const record = { data: { key }, until: now + REPEAT_MS }
  if (repeat !== true && typeof sent !== 'string')
    return keyIn(await service.shortTerm.putNew(where, record, now)) ?? key
  await service.shortTerm.put(where, record)
  return key
}
