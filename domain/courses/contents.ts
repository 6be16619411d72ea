import type { Reader } from '../kernel/decide/rules.ts'
import type { Contents } from './access.ts'
import { course, lesson, section } from './course/model.ts'

/** Reads a course with all that it holds; `undefined`: it is gone. */
export const contentsOf = async (courseId: number, read: Reader): Promise<Contents | undefined> => {
  const where = { course_id: courseId }
  const [found, sections, lessons] = await Promise.all([
    read.one(course, courseId),
    read.find(section, { where }),
    read.find(lesson, { where }),
  ])
  return found && { course: found, sections, lessons }
}
