import { enrolling } from '../../courses/public.ts'
import { type Effect, type EffectContext, failed, idsIn, skipped } from './effect.ts'
import { isFilled, stepType } from './step-type.ts'

const effect = async ({ run: { id, contact_id }, settings, read }: EffectContext): Promise<Effect> => {
  const section_ids = idsIn(settings.section_ids)
  if (section_ids.length === 0) return skipped('the step names no sections')
  const cause = { source_type: 'workflows/run', source_id: id }
  const asks = await enrolling(contact_id, { course_ids: [], section_ids }, cause, read)
  return asks.length > 0 ? { asks } : failed('the sections are gone')
}

/** Enrolls the contact in courses, by some of their sections. With courses alone it counts as set up and enrolls nobody, as the contract says. */
export const enroll = stepType('enroll_step', {
  refers: { course_ids: 'course', section_ids: 'courses/section' },
  standsOn: [['section_ids']],
  isSetUp: ({ course_ids, section_ids }) => isFilled(course_ids) || isFilled(section_ids),
  does: { kind: 'acts', effect },
})
