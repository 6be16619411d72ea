import { unenrolling } from '../../courses/public.ts'
import { type Effect, type EffectContext, idsIn } from './effect.ts'
import { isFilled, stepType } from './step-type.ts'

const effect = async ({ run: { contact_id }, settings, read }: EffectContext): Promise<Effect> => {
  const reach = { course_ids: idsIn(settings.course_ids), section_ids: idsIn(settings.section_ids) }
  return { asks: await unenrolling(contact_id, reach, read) }
}

/** Takes courses and sections from the contact, whatever gave access to them. */
export const unenrollContact = stepType('unenroll_contact_step', {
  refers: { course_ids: 'course', section_ids: 'courses/section' },
  // What is gone is taken from nobody, which is no failure.
  standsOn: [],
  isSetUp: ({ course_ids, section_ids }) => isFilled(course_ids) || isFilled(section_ids),
  does: { kind: 'acts', effect },
  looksAround: true,
})
