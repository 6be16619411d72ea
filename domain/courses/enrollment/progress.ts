import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Loader } from '../../resources/view-types.ts'
import { Access } from '../access.ts'
import { course, lesson, section } from '../course/model.ts'
import { completion, type enrollment } from './model.ts'

const openCourse = recordOf(course)
const openSection = recordOf(section)
const openLesson = recordOf(lesson)

/** Returns the progress of an enrolment at the time of the request, in whole percent. */
export const progressOf = async (own: RecordOf<typeof enrollment>, load: Loader): Promise<number> => {
  const [found, sections, lessons, completions] = await Promise.all([
    load.one(course.name, own.course_id),
    load.where(section.name, 'course_id', own.course_id),
    load.where(lesson.name, 'course_id', own.course_id),
    load.where(completion.name, 'enrollment_id', own.id),
  ])
  if (!found) return 0
  const contents = { course: openCourse(found), sections: sections.map(openSection), lessons: lessons.map(openLesson) }
  const completed = new Set(completions.map(({ lesson_id }) => Number(lesson_id)))
  return new Access(contents, { ...own, completed }, load.now(own.workspace_id ?? 0)).progress
}
