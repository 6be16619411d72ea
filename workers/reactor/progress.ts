import type { JsonObject } from '../../domain/kernel/values/event.ts'
import { MOST_FAILED } from '../../domain/resources/jobs/job.ts'

/** How far it has come to do something to each of many; of a job also in its events. */
export type Progress = {
  readonly performed_count: number
  readonly failed_count: number
  readonly failed_ids: readonly number[]
  readonly cursor: number
}

/** Events of progress that a job has at most, as long as its audience does not grow meanwhile. */
const STEPS = 20
const STEP_MS = 1000

/** Nothing is done yet. */
export const BEGUN: Progress = { performed_count: 0, failed_count: 0, failed_ids: [], cursor: 0 }

/** How far something had come by what is recorded of it. */
export const recordedIn = ({
  performed_count: performed,
  failed_count: failed,
  failed_ids: ids,
  cursor,
}: JsonObject): Progress => ({
  performed_count: Number(performed ?? 0),
  failed_count: Number(failed ?? 0),
  failed_ids: Array.isArray(ids) ? ids.map(Number) : [],
  cursor: Number(cursor ?? 0),
})

/** How far it has come when everyone up to the cursor is settled. */
export const further = (
  before: Progress,
  settled: readonly number[],
  failed: readonly number[],
  cursor: number,
): Progress => ({
  performed_count: before.performed_count + settled.length,
  failed_count: before.failed_count + failed.length,
  failed_ids: [...before.failed_ids, ...failed.slice(0, MOST_FAILED - before.failed_ids.length)],
  cursor,
})

/** Says when progress is worth an event: a twentieth of the way further, and a second later than the last one. */
export const milestones = (total: number, begin: Progress, now: () => number) => {
  let last = { performed: begin.performed_count, at: now() }
  return ({ performed_count: performed }: Progress): boolean => {
    if ((performed - last.performed) * STEPS < total || performed === last.performed) return false
    if (now() - last.at < STEP_MS) return false
    last = { performed, at: now() }
    return true
  }
}
