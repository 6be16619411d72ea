import { enrolling, unenrolling } from '../../courses/public.ts'
import { type Effect, type EffectContext, failed, idsIn, skipped } from './effect.ts'

/** Enrolls the contact in courses, by some of their sections. Courses alone enroll nobody, as the contract says. */
export const enroll = async ({ run: { id, contact_id }, settings, read }: EffectContext): Promise<Effect> => {
  const section_ids = idsIn(settings.section_ids)
  if (section_ids.length === 0) return skipped('the step names no sections')
  const cause = { source_type: 'workflows/run', source_id: id }
  const asks = await enrolling(contact_id, { course_ids: [], section_ids }, cause, read)
  return asks.length > 0 ? { asks } : failed('the sections are gone')
}

/** Takes courses and sections from the contact, whatever gave access to them. */
export const unenroll = async ({ run: { contact_id }, settings, read }: EffectContext): Promise<Effect> => {
  const reach = { course_ids: idsIn(settings.course_ids), section_ids: idsIn(settings.section_ids) }
  return { asks: await unenrolling(contact_id, reach, read) }
}
