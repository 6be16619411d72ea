import { type Detail, Refusal, type RefusalKind } from '../../domain/kernel/values/refusal.ts'
import type { Service } from '../service.ts'
import { type Idempotency, KEPT_MS } from './idempotency.ts'

/** Answer of an operation that waited for its effect, as it was given, with its time (ISO 8601). */
export interface NotedAnswer {
  readonly result: number | Refusal
  readonly at: string
}

/** Form in which an answer is stored. It holds nothing personal. */
interface Note {
  readonly status?: number
  readonly refusal?: { readonly kind: RefusalKind; readonly message: string; readonly details: readonly Detail[] }
  readonly at: string
}

const keyOf = ({ key }: Idempotency): string => `${key}:answer`

/** Stream that holds the notes. It never has events. */
const STREAM = 'noted_answers-0'

/**
 * Stores the answer of an operation that waited for its effect, so that a repeat is answered in the same way.
 *
 * @param at time of the answer by the clock of the workspace, ISO 8601
 */
export const noteAnswer = async (
  { log, now }: Service,
  idempotency: Idempotency,
  result: number | Refusal,
  at: string,
): Promise<void> => {
  const note: Note =
    result instanceof Refusal
      ? { refusal: { kind: result.kind, message: result.message, details: result.details }, at }
      : { status: result, at }
  const claim = { key: keyOf(idempotency), note: JSON.stringify(note), until: now() + KEPT_MS }
  await log.append({ stream: STREAM, expected: -1, events: [], take: [claim] })
}

/** Returns the answer that was noted for a request; `undefined` when there is none. */
export const notedAnswer = async ({ log }: Service, idempotency: Idempotency): Promise<NotedAnswer | undefined> => {
  const claim = await log.claimed(keyOf(idempotency))
  if (claim?.note === undefined) return undefined
  const { status = 0, refusal, at } = JSON.parse(claim.note) as Note
  return { result: refusal ? new Refusal(refusal.kind, refusal.message, refusal.details) : status, at }
}
