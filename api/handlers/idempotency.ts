import { createHash } from 'node:crypto'
import type { Claim, ClaimTaken } from '../../domain/kernel/ports/event-log.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { ApiRequest } from '../request.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'

const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** What is kept of a request under its key, so that a repeat can be answered from the log: nothing of its content. */
interface Note {
  readonly fingerprint: string
  readonly id: number
  readonly status: number
}

/** The claim that makes a request repeatable: bound to the caller, kept 30 days, taken with the write itself (design 10.2). */
export interface Idempotency {
  /** Name of the claim. */
  readonly key: string
  readonly fingerprint: string
}

/**
 * The idempotency of a request that has a key.
 *
 * @throws {Refusal} malformed, for a key that is empty or too long
 */
export const idempotencyOf = (service: Service, route: Route, request: ApiRequest): Idempotency | undefined => {
  const key = request.headers['idempotency-key']
  if (key === undefined) return undefined
  if (typeof key !== 'string' || key === '' || key.length > 255) {
    throw refuse.malformed('Idempotency-Key must have 1 to 255 characters', 'Idempotency-Key', 'invalid')
  }
  const content = JSON.stringify([route.operationId, request.target, request.body ?? null])
  const digest = createHash('sha256').update(content).digest('hex')
  return {
    key: `idempotency:${request.caller.tokenId}:${service.vault.token('idempotency.key', createHash('sha256').update(key).digest('hex'))}`,
    fingerprint: service.vault.token('idempotency.request', digest),
  }
}

/** What goes into the log beside the write. */
export const claimOf = (
  service: Service,
  { key, fingerprint }: Idempotency,
  id: number,
  status: number,
): ClaimTaken => ({
  key,
  note: JSON.stringify({ fingerprint, id, status } satisfies Note),
  until: service.now() + KEPT_MS,
})

/**
 * What the first request under the key came to.
 *
 * @throws {Refusal} invalid, when the key was used for another request
 */
export const firstAnswer = (
  claim: Claim,
  idempotency: Idempotency,
): { readonly id: number; readonly status: number } => {
  const note = JSON.parse(claim.note ?? '{}') as Partial<Note>
  if (note.fingerprint !== idempotency.fingerprint || note.id === undefined || note.status === undefined) {
    throw refuse.invalid('Idempotency-Key has already been used for another request', 'Idempotency-Key', 'reused')
  }
  return { id: note.id, status: note.status }
}
