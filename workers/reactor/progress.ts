import { firstLine, withoutAddresses } from '../../domain/kernel/react/failure.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { MAX_LISTED_FAILURES } from '../../domain/resources/jobs/progress.ts'

/** Progress of a batch. That of a job is also in its events. */
export type Progress = {
  readonly performed_count: number
  readonly failed_count: number
  readonly failed_ids: readonly number[]
  /** Why the first of them failed. */
  readonly failure_reason: string | null
  readonly cursor: number
}

/** Highest number of progress events of a job, unless its audience grows while it runs. */
const STEPS = 20
const STEP_MS = 1000

/** Progress before anything is done. */
export const BEGUN: Progress = { performed_count: 0, failed_count: 0, failed_ids: [], failure_reason: null, cursor: 0 }

/** Reads progress from a stored value. */
export const readProgress = ({
  performed_count: performed,
  failed_count: failed,
  failed_ids: ids,
  failure_reason: reason,
  cursor,
}: JsonObject): Progress => ({
  performed_count: Number(performed ?? 0),
  failed_count: Number(failed ?? 0),
  failed_ids: Array.isArray(ids) ? ids.map(Number) : [],
  failure_reason: typeof reason === 'string' ? reason : null,
  cursor: Number(cursor ?? 0),
})

/** Returns the progress once all records up to the cursor are settled. */
export const advanceProgress = (
  before: Progress,
  settled: readonly number[],
  failed: readonly number[],
  reason: string | undefined,
  cursor: number,
): Progress => ({
  performed_count: before.performed_count + settled.length,
  failed_count: before.failed_count + failed.length,
  failed_ids: [...before.failed_ids, ...failed.slice(0, MAX_LISTED_FAILURES - before.failed_ids.length)],
  // It is stored and shown: it must not quote an address, however the refusal came to have one.
  failure_reason: before.failure_reason ?? (reason === undefined ? null : firstLine(withoutAddresses(reason))),
  cursor,
})

/** Returns a test of whether progress is worth an event: a twentieth of the way, and a second, after the last one. */
export const milestones = (total: number, begin: Progress, now: () => number) => {
  let last = { performed: begin.performed_count, at: now() }
  return ({ performed_count: performed }: Progress): boolean => {
    if ((performed - last.performed) * STEPS < total || performed === last.performed) return false
    if (now() - last.at < STEP_MS) return false
    last = { performed, at: now() }
    return true
  }
}
