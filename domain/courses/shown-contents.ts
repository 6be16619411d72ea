import { recordOf } from '../kernel/model/fold.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { nullableString } from '../resources/schemas.ts'
import type { Loader } from '../resources/view-types.ts'
import { Access } from './access.ts'
import { course, lesson, section } from './course/model.ts'
import { granted } from './enrollment/model.ts'

const openCourse = recordOf(course)
const openSection = recordOf(section)
const openLesson = recordOf(lesson)

/** A course with all that it holds. */
export interface WholeCourse {
  readonly course: RecordOf<typeof course>
  readonly sections: readonly RecordOf<typeof section>[]
  readonly lessons: readonly RecordOf<typeof lesson>[]
}

/** Loads a course with all that it holds, for views; `undefined`: it is gone. */
export const loadContents = async (courseId: number, load: Loader): Promise<WholeCourse | undefined> => {
  const [found, sections, lessons] = await Promise.all([
    load.one(course.name, courseId),
    load.where(section.name, 'course_id', courseId),
    load.where(lesson.name, 'course_id', courseId),
  ])
  return found && { course: openCourse(found), sections: sections.map(openSection), lessons: lessons.map(openLesson) }
}

type Section = RecordOf<typeof section>

const warningOf = async (
  { id, course_id, workspace_id = 0, ...own }: Section,
  load: Loader,
): Promise<string | null> => {
  if (own.blocker_section_id === null && own.blocker_lesson_id === null) return null
  const contents = await loadContents(course_id, load)
  if (!contents) return null
  const section_ids = contents.sections.map((one) => one.id)
  const everything = granted({ source_type: 'api', source_id: 0, section_ids, whole_course: true })
  const enrolled = { created_at: own.created_at, suspended: false, grants: [everything], completed: new Set<number>() }
  return new Access(contents, enrolled, load.now(workspace_id)).unfulfillable.includes(id)
    ? 'Nothing of the blocker is published, so that nobody can complete it: it holds nobody up'
    : null
}

/** Warns of a blocker that nobody can fulfil. */
export const blockerWarning = { schema: nullableString, of: warningOf }
