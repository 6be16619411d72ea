import { Type } from 'typebox'
import { ask, within } from '../kernel/decide/ask.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { flag, list, moment, reference } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { job } from '../resources/jobs/job.ts'
import type { ActionInput } from '../resources/operation.ts'
import { isLive } from '../resources/publishing.ts'
import type { Resource } from '../resources/resource.ts'
import { course, lesson, section } from './course/model.ts'
import { courses } from './course/rules.ts'

const NAME = 'courses/sections/publish_action'
const ROOT = 'courses_sections_publish_action'
const PATH = '/courses/{course_id}/sections/publish_actions'
const ONE = '/courses/sections/publish_actions/{id}'

const base = job({
  name: NAME,
  title: 'Courses::Sections::PublishAction',
  consequence: 'shows something to everybody, who may be told of it by mail',
  root: ROOT,
  category: 'courses',
  under: { param: 'course_id', resource: course.name, field: 'course_id' },
  events: {
    queued: 'SectionsPublishActionQueued',
    started: 'SectionsPublishActionStarted',
    advanced: 'SectionsPublishActionAdvanced',
    completed: 'SectionsPublishActionCompleted',
    removed: 'SectionsPublishActionRemoved',
    held: 'SectionsPublishActionHeld',
    released: 'SectionsPublishActionReleased',
  },
  sealedFromTheStart: true,
  targets: { resource: section.name, all: { parent_id: { $ne: null } }, within: 'course_id' },
  attributes: {
    auto_enroll: flag({ nullable: true, initial: false, about: 'Gives those who are enrolled access to the sections' }),
    send_email: flag({ nullable: true, initial: false, about: 'With auto_enroll: tells those who may open them' }),
    offer_new_section_via_all_access_products: flag({
      nullable: true,
      initial: false,
      about: 'Gives the sections to those whose purchase gave the whole course',
    }),
  },
  view: {
    status: {
      schema: Type.Enum(['queued', 'scheduled', 'processing', 'completed']),
      of: ({ status, scheduled_for }) => (status === 'queued' && scheduled_for !== null ? 'scheduled' : status),
    },
    published_lessons_count: {
      schema: Type.Integer({ description: 'Lessons whose publishing it changed' }),
      of: ({ id }, load) => load.count(lesson.name, 'publish_action_ids', id),
    },
  },
  paths: {
    list: ['listCoursesSectionsPublishActions', PATH],
    show: ['getCoursesSectionsPublishActions', ONE],
    remove: ['removeCoursesSectionsPublishActions', ONE],
  },
  async perform(action, sectionId, { read }) {
    const found = await read.one(section, sectionId)
    const sections = within(courses, found?.course_id ?? 0, section)
    const by = { publish_action_id: action.id, asked_at: action.created_at }
    return found ? ask(sections, sectionId, 'publish', by) : []
  },
})

const NOTHING = {
  message: 'no unpublished course content to publish',
  target_count: 0,
  performed_count: 0,
  published_lessons_count: 0,
  status: 'completed',
} as const

const nothingSchema = Type.Object({
  message: Type.String(),
  target_count: Type.Integer(),
  performed_count: Type.Integer(),
  published_lessons_count: Type.Integer(),
  status: Type.Literal('completed'),
})

const problemOf = ({ auto_enroll, send_email, scheduled_for }: JsonObject, at: string): Refusal | undefined => {
  if (send_email === true && auto_enroll !== true)
    return refuse.invalid('send_email needs auto_enroll', `${ROOT}.send_email`, 'inclusion')
  return typeof scheduled_for === 'string' && scheduled_for <= at
    ? refuse.invalid('scheduled_for must be in the future', `${ROOT}.scheduled_for`, 'past')
    : undefined
}

/** Whether a course has a section, other than the one that it began with, or a lesson in one, that is not published. */
const hasUnpublished = async (courseId: number, at: string, read: FactReader): Promise<boolean> => {
  const where = { course_id: courseId }
  const [sections, lessons] = await Promise.all([
    readerOver(read).find(section, { where }),
    readerOver(read).find(lesson, { where }),
  ])
  const modules = new Set(sections.flatMap(({ id, parent_id }) => (parent_id === null ? [] : [id])))
  const isOpen = (one: { readonly published_at: string | null }) => !isLive(one, at)
  return (
    sections.some((one) => modules.has(one.id) && isOpen(one)) ||
    lessons.some((one) => modules.has(one.section_id) && isOpen(one))
  )
}

/** Queues an action. The primary module stands for all that it holds. Where nothing is left to publish, none is made. */
const publish = async ({ owner, fields, at, mint, transact, read, load }: ActionInput) => {
  const courseId = Number(owner?.id)
  const problem = problemOf(fields, at)
  if (problem) return problem
  const ids = Array.isArray(fields.target_ids) ? fields.target_ids.map(Number) : []
  const named = await readerOver(read).many(section, ids)
  if (named.some(({ course_id }) => course_id !== courseId))
    return refuse.invalid('target_ids must be sections of the course', `${ROOT}.target_ids`, 'inclusion')
  if (ids.length > 0 === (fields.target_all === true))
    return refuse.invalid('provide target_ids or target_all', `${ROOT}.target_ids`, 'selection')
  const isAll = fields.target_all === true || named.some(({ parent_id }) => parent_id === null)
  if (isAll && !(await hasUnpublished(courseId, at, read))) return { ...NOTHING }
  const wanted = { ...fields, target_all: isAll, target_ids: isAll ? null : ids, course_id: courseId }
  const id = mint({ name: NAME })
  const refused = await transact({
    aggregate: base.resource.aggregate,
    id,
    isNew: true,
    command: { type: 'create', wanted },
  })
  if (refused instanceof Refusal) return refused
  const document = await read.get(NAME, id)
  return document ? load.present(NAME, document) : refuse.notFound('The action was removed')
}

const resource: Resource = {
  ...base.resource,
  operations: {
    ...base.resource.operations,
    createCoursesSectionsPublishActions: {
      consequence: 'shows something to everybody, who may be told of it by mail',
      kind: 'call',
      method: 'POST',
      path: PATH,
      summary: 'Publishes sections with their lessons',
      body: {
        root: ROOT,
        fields: {
          target_all: flag({ nullable: true, about: 'Every section that is not published' }),
          target_ids: list(reference(section.name), { nullable: true, about: 'Sections, one by one' }),
          auto_enroll: flag({ nullable: true }),
          send_email: flag({ nullable: true }),
          offer_new_section_via_all_access_products: flag({ nullable: true }),
          scheduled_for: moment({ nullable: true }),
        },
        mode: 'create',
      },
      schema: base.resource.view.schema,
      answers: 201,
      otherwise: { schema: nothingSchema, is: (body) => body.message === NOTHING.message },
      call: publish,
    },
  },
}

/** Courses::Sections::PublishAction: publishes sections of a course with their lessons. */
export const publishAction = { ...base, resource }
