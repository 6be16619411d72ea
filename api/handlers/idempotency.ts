import { createHash } from 'node:crypto'
import type { Claim, ClaimToTake } from '../../domain/kernel/ports/event-log.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Route } from '../routes.ts'
import type { Service } from '../service.ts'
import type { ApiRequest } from './request.ts'

/** How long the answer to a request is kept under its key. */
export const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Data that is stored under the key of a request, so that a repeat can be answered from the log. It holds nothing of the content. */
interface Note {
  readonly fingerprint: string
  readonly id: number
  readonly status: number
}

/** Claim that makes a request repeatable. It is bound to the caller, lasts 30 days and is taken with the write itself. */
export interface Idempotency {
  /** Name of the claim. */
  readonly key: string
  readonly fingerprint: string
}

/**
 * Returns the idempotency of a request that has a key.
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

/** Returns the claim that goes into the log with the write. */
export const claimOf = (
  service: Service,
  { key, fingerprint }: Idempotency,
  id: number,
  status: number,
): ClaimToTake => ({
  key,
  note: JSON.stringify({ fingerprint, id, status } satisfies Note),
  until: service.now() + KEPT_MS,
})

/**
 * Returns the record id and the status of the first request under the key.
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
