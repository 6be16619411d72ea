import type {
  course as courseModel,
  lesson as lessonModel,
  section as sectionModel,
} from '../../../domain/courses/course/model.ts'
import { completion, enrollment } from '../../../domain/courses/enrollment/model.ts'
import { Access, type Closed, enrollments, grantsNow, loadContents } from '../../../domain/courses/public.ts'
import { boundTo, isAt } from '../../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { isLive } from '../../../domain/resources/publishing.ts'
import type { ReaderRequest } from '../request.ts'

export type Course = RecordOf<typeof courseModel>
export type Section = RecordOf<typeof sectionModel>
export type Lesson = RecordOf<typeof lessonModel>

/** Lesson as its contact sees it. */
export interface ShownLesson {
  readonly lesson: Lesson
  /** Why it is closed; `undefined`: it is open. */
  readonly closed: Closed | undefined
  readonly isDone: boolean
}

/** Section with what its contact may know of it. */
export interface ShownSection {
  readonly section: Section
  readonly lessons: readonly ShownLesson[]
}

/** Course that a contact is enrolled in. */
export interface OpenCourse {
  readonly course: Course
  readonly enrollment: RecordOf<typeof enrollment>
  readonly access: Access
  readonly completions: readonly RecordOf<typeof completion>[]
  readonly sections: readonly ShownSection[]
}

type Placed = { readonly sort_order: number; readonly id: number }
const inOrder = (one: Placed, other: Placed): number => one.sort_order - other.sort_order || one.id - other.id

/** Order of sections: the one that a course begins with comes before all others. */
export const asRead = (one: Section, other: Section): number =>
  Number(one.parent_id !== null) - Number(other.parent_id !== null) || inOrder(one, other)

/** Whether a contact may not even know of a lesson. */
const isHidden = (closed: Closed | undefined, section: Section): boolean =>
  closed?.because === 'not_published' || (closed?.because === 'not_granted' && section.is_hidden_from_non_members)

const shownSections = (
  { sections, lessons }: { readonly sections: readonly Section[]; readonly lessons: readonly Lesson[] },
  access: Access,
  done: ReadonlySet<number>,
): readonly ShownSection[] =>
  sections.toSorted(asRead).flatMap((section) => {
    const shown = lessons
      .filter(({ section_id }) => section_id === section.id)
      .toSorted(inOrder)
      .map((lesson) => ({ lesson, closed: access.closed(lesson.id), isDone: done.has(lesson.id) }))
      .filter(({ closed }) => !isHidden(closed, section))
    return shown.length === 0 ? [] : [{ section, lessons: shown }]
  })

/** Returns a course for a contact who is enrolled in it, as the log has it now; `undefined`: the course is not published, or the contact has never been enrolled. */
export const openCourse = async (request: ReaderRequest, courseId: number): Promise<OpenCourse | undefined> => {
  const { service, viewer, at, reading, site } = request
  const where = { contact_id: viewer.contact.id, course_id: courseId }
  const [[known], contents] = await Promise.all([
    service.everywhere.find(enrollment.name, { where, limit: 1 }),
    loadContents(courseId, reading.load),
  ])
  if (!known || !contents || !isAt(site, contents.course)) return undefined
  if (!isLive(contents.course, at)) return undefined
  const records = await service.engine.records(enrollments, Number(known.id), -1)
  const found = records.root(enrollment)
  if (!found) return undefined
  const own = { ...found, grants: await grantsNow(found.grants, at, readerOver(boundTo(service.everywhere, site))) }
  const completions = records.all(completion)
  const completed = new Set(completions.map(({ lesson_id }) => lesson_id))
  const access = new Access(contents, { ...own, completed }, at)
  return {
    ...{ course: contents.course, enrollment: own, access, completions },
    sections: shownSections(contents, access, completed),
  }
}
