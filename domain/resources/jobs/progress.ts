import type { ActContext } from '../../kernel/decide/rules.ts'
import { managed } from '../../kernel/model/field.ts'
import { choice, integer, list, moment, text } from '../../kernel/model/fields.ts'
import { model, type RecordOf } from '../../kernel/model/model.ts'
import type { TimerTable } from '../../kernel/model/timer.ts'
import { selection } from './selecting.ts'

/** Highest number of failed targets whose ids are listed; the others are only counted. */
export const MAX_LISTED_FAILURES = 1000

/** How far a job is. */
export const progress = {
  created_by_id: managed(integer()),
  status: managed(choice(['queued', 'processing', 'completed'], { default: 'queued' }), { shown: 'never' }),
  target_count: managed(integer()),
  /** Number of targets that have succeeded or failed. Clients wait until it equals `target_count`. */
  performed_count: managed(integer({ default: 0 })),
  failed_count: managed(integer({ default: 0, about: 'Those of performed_count to whom it could not be done' })),
  failed_ids: managed(
    list(integer(), { default: [], about: `To whom it could not be done: the first ${MAX_LISTED_FAILURES}` }),
  ),
  failure_reason: managed(text({ about: 'Why it could not be done to the first of them' })),
  /** Records up to this id have been examined. */
  cursor: managed(integer({ default: 0 }), { shown: 'never' }),
  started_at: managed(moment()),
  completed_at: managed(moment()),
  /** Why it waits for the operator's word. */
  held_reason: managed(text({ nullable: true }), { shown: 'never' }),
}

/** When a job begins. */
export const schedule = { scheduled_for: moment({ default: null, about: 'Not before this time' }) }

/** What every job has. */
export const anyJob = model('job', { attributes: { ...selection(''), ...schedule, ...progress }, events: {} })

/** Timer that starts a scheduled job. */
export const startTimer: TimerTable<'start', RecordOf<typeof anyJob>> = {
  start: { due: ({ status, scheduled_for }) => (status === 'queued' ? scheduled_for : null) },
}

export type AnyJob = typeof anyJob

/** Attributes that a step of a job changes. */
export const PROGRESS = ['performed_count', 'failed_count', 'failed_ids', 'failure_reason', 'cursor'] as const

/** Returns the progress in the input of a command. The list of failed ids is bounded, however many targets failed. */
export const progressIn = ({
  performed_count = 0,
  failed_count = 0,
  failed_ids = [],
  failure_reason = null,
  cursor = 0,
}: ActContext<AnyJob>['wanted']) => ({
  performed_count,
  failed_count,
  failed_ids: failed_ids.slice(0, MAX_LISTED_FAILURES),
  failure_reason,
  cursor,
})

/** Returns the number of targets in the input of a command, where it has one. */
export const targetCountIn = ({ target_count }: ActContext<AnyJob>['wanted']) =>
  target_count === undefined ? {} : { target_count }

/** Matches may change between counting and processing. The final count is the number processed. */
export const completion = (wanted: ActContext<AnyJob>['wanted']) => {
  const progress = progressIn(wanted)
  return { target_count: progress.performed_count, ...progress }
}
