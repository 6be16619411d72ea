import { type NoticeReader, noticeOf, type Telling } from '../emails/public.ts'
import { type Reader, readerOver } from '../kernel/decide/rules.ts'
import { type PieceBatch, policy } from '../kernel/react/policy.ts'
import type { Json } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { Access } from './access.ts'
import { contentsOf } from './contents.ts'
import { course, lesson, section } from './course/model.ts'
import { completion, enrollment } from './enrollment/model.ts'
import { coursePath, lessonPath } from './paths.ts'
import { publishAction } from './publish-action.ts'

/** Returns the sections that an action has published, or lessons of which it has. */
const publishedBy = async (actionId: number, read: Reader): Promise<readonly number[]> => {
  const where = { publish_action_ids: actionId }
  const [sections, lessons] = await Promise.all([read.find(section, { where }), read.find(lesson, { where })])
  return [...new Set([...sections.map(({ id }) => id), ...lessons.map(({ section_id }) => section_id)])]
}

/** Tells those who are enrolled of the sections that an action has published, where it says so. */
export const enrolledKnowSections = policy({
  name: 'enrolled-know-sections',
  on: [{ type: publishAction.completed }],
  async react(
    { id: cause, stream, metadata: { workspace_id: workspaceId = 0 } },
    documents,
  ): Promise<readonly PieceBatch[]> {
    const { id } = parseStream(stream)
    const action = await documents.get(publishAction.resource.name, id)
    if (action?.send_email !== true) return []
    const course_id = Number(action.course_id)
    const section_ids = await publishedBy(id, readerOver(documents))
    if (section_ids.length === 0) return []
    const about = { course_id, section_ids }
    const begin = await noticeOf({ kind: 'section_published', cause, workspaceId, about }, documents)
    if (!begin) return []
    return [
      {
        inPieces: enrollment.name,
        where: { course_id },
        piece: (enrolled, after) =>
          begin(
            enrolled.map(({ contact_id }) => Number(contact_id)),
            after,
          ),
      },
    ]
  },
})

const idsIn = (value: Json | undefined): readonly number[] => (Array.isArray(value) ? value.map(Number) : [])

/** Reads the enrolments of contacts in a course, with what they have completed, by the ids of the contacts. */
const enrolledIn = async (courseId: number, contactIds: readonly number[], read: Reader) => {
  const found = await read.find(enrollment, { where: { contact_id: { $in: [...contactIds] } } })
  const own = found.filter(({ course_id }) => course_id === courseId)
  const done = await read.find(completion, { where: { enrollment_id: { $in: own.map(({ id }) => id) } } })
  const completed = (id: number) =>
    new Set(done.flatMap(({ enrollment_id, lesson_id }) => (enrollment_id === id ? lesson_id : [])))
  return new Map(own.map((one) => [one.contact_id, { ...one, completed: completed(one.id) }]))
}

/** A section, with the first lesson of it that is open. */
interface OpenSection {
  readonly title: string
  readonly lessonId: number
}

/** Tells those who are enrolled of new sections, as far as they may open a lesson of them at this moment. */
export const tellSections: NoticeReader = async ({ values }, recipients, { read, at, linkTo }) => {
  const courseId = Number(values.course_id)
  const ids = recipients.map(({ id }) => id)
  const [of, contents, sections, enrolled] = await Promise.all([
    read.one(course, courseId),
    contentsOf(courseId, read),
    read.many(section, idsIn(values.section_ids)),
    enrolledIn(courseId, ids, read),
  ])
  const openTo = (contactId: number): readonly OpenSection[] => {
    const own = enrolled.get(contactId)
    if (!contents || !own) return []
    const access = new Access(contents, own, at)
    return sections.flatMap(({ id, title }) => {
      const open = contents.lessons.find((one) => one.section_id === id && access.closed(one.id) === undefined)
      return open ? [{ title, lessonId: open.id }] : []
    })
  }
  return new Map(
    recipients.map((to): [number, Telling] => {
      const open = openTo(to.id)
      if (!of || open.length === 0) return [to.id, { withheld: 'no_access' }]
      const url = linkTo(to, coursePath(courseId))
      const listed = open.map(({ title, lessonId }) => ({ title, url: linkTo(to, lessonPath(lessonId)) }))
      return [to.id, { values: { course: { title: of.title }, sections: listed, url } }]
    }),
  )
}
