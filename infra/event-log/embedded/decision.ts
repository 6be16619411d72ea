import type { Append, Appended, Claim } from '../../../domain/kernel/ports/event-log.ts'

/** What a decision may look at: the log as the appends before this one leave it. */
export interface LogState {
  readonly now: number
  readonly lastPosition: number
  /** Revision of the last event of a stream, or -1. */
  revision(stream: string): number
  /** Revision of an event that a repeatable append has left in the stream. */
  repeated(stream: string, id: string): number | undefined
  position(stream: string, revision: number): number | undefined
  /** The claim on a key, even when its time has passed. */
  claim(key: string): Claim | undefined
}

/** What is to be written, or the answer when that is nothing. */
export type Decision = { readonly answer: Appended } | { readonly firstRevision: number }

/** Whether an append may take place, in the order of the port: repetition, revision, claims. */
export function decide(request: Append, state: LogState): Decision {
  const actual = state.revision(request.stream)
  const earlier = request.repeatable ? repetition(request, state) : undefined
  if (earlier) return { answer: earlier.answer ?? { ok: false, conflict: 'revision', actual } }
  if (request.expected !== 'any' && request.expected !== actual) {
    return { answer: { ok: false, conflict: 'revision', actual } }
  }
  for (const { key } of request.take ?? []) {
    const claim = state.claim(key)
    if (claim && claim.stream !== request.stream && isHeld(claim, state.now)) {
      return { answer: { ok: false, conflict: 'claim', claim } }
    }
  }
  return { firstRevision: actual + 1 }
}

export function isHeld(claim: Claim, now: number): boolean {
  return claim.until === undefined || claim.until > now
}

/**
 * The earlier result when the stream holds all the ids. When it holds only some, the writer has decided differently on what
 * it takes for the same cause, and must look again: a revision conflict, as EventStoreDB answers it.
 */
function repetition({ stream, events }: Append, state: LogState): { answer?: Appended } | undefined {
  const revisions = events.map((event) => state.repeated(stream, event.id)).filter((revision) => revision !== undefined)
  if (revisions.length === 0) return undefined
  if (revisions.length < events.length) return {}
  const revision = Math.max(...revisions)
  const position = state.position(stream, revision) ?? state.lastPosition
  return { answer: { ok: true, revision, position, repeated: true } }
}
