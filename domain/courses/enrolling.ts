import { type Ask, ask } from '../kernel/decide/ask.ts'
import type { Reader } from '../kernel/decide/rules.ts'
import { course, section } from './course/model.ts'
import { type Cause, enrollment } from './enrollment/model.ts'
import { enrollments } from './enrollment/rules.ts'

/** Courses with all their sections, and single sections. */
export interface Reach {
  readonly course_ids: readonly number[]
  readonly section_ids: readonly number[]
}

/** Returns the sections of each course; `null`: all of it. What is gone is left out. */
const byCourse = async ({ course_ids, section_ids }: Reach, read: Reader) => {
  const courses = await read.many(course, course_ids)
  const found = new Map<number, number[] | null>(courses.map(({ id }) => [id, null]))
  for (const { id, course_id } of await read.many(section, section_ids)) {
    const held = found.get(course_id)
    if (held !== null) found.set(course_id, [...(held ?? []), id])
  }
  return found
}

/** Returns the commands that give a contact access by a cause. They may be repeated. */
export const enrolling = async (
  contact_id: number,
  reach: Reach,
  cause: Cause,
  read: Reader,
): Promise<readonly Ask[]> =>
  [...(await byCourse(reach, read))].map(([course_id, section_ids]) =>
    ask(enrollments, 'new', 'create', { contact_id, course_id, section_ids, ...cause }, { ifTaken: 'grant' }),
  )

/** Returns the commands that take access from a contact, whatever gave it. */
export const unenrolling = async (contact_id: number, reach: Reach, read: Reader): Promise<readonly Ask[]> => {
  const found = await byCourse(reach, read)
  const held = await read.find(enrollment, { where: { contact_id } })
  return held.flatMap(({ id, course_id }) => {
    const section_ids = found.get(course_id)
    if (section_ids === undefined) return []
    return [section_ids === null ? ask(enrollments, id, 'end', {}) : ask(enrollments, id, 'take', { section_ids })]
  })
}
