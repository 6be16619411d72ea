import { Type } from 'typebox'
import { ask, within } from '../kernel/decide/ask.ts'
import type { FactReader } from '../kernel/decide/command.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { flag } from '../kernel/model/fields.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { job } from '../resources/jobs/job.ts'
import type { Instead, WriteInput } from '../resources/operation.ts'
import { isLive } from '../resources/publishing.ts'
import { course, lesson, section } from './course/model.ts'
import { courses } from './course/rules.ts'

const NAME = 'courses/sections/publish_action'
const ROOT = 'courses_sections_publish_action'
const PATH = '/courses/{course_id}/sections/publish_actions'
const ONE = '/courses/sections/publish_actions/{id}'

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
    return refuse.invalid('send_email needs auto_enroll', 'send_email', 'inclusion')
  return typeof scheduled_for === 'string' && scheduled_for <= at
    ? refuse.invalid('scheduled_for must be in the future', 'scheduled_for', 'past')
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

/** Whether a request is for all sections: the primary module stands for all that it holds. Refuses what names no sections of the course. */
const isForAll = async ({ owner, fields, at, read }: WriteInput): Promise<boolean | Refusal> => {
  const problem = problemOf(fields, at)
  if (problem) return problem
  const ids = namedIn(fields)
  const named = await readerOver(read).many(section, ids)
  if (named.some(({ course_id }) => course_id !== owner?.id))
    return refuse.invalid('target_ids must be sections of the course', 'target_ids', 'inclusion')
  if (ids.length > 0 === (fields.target_all === true))
    return refuse.invalid('provide target_ids or target_all', 'target_ids', 'selection')
  return fields.target_all === true || named.some(({ parent_id }) => parent_id === null)
}

const namedIn = ({ target_ids }: JsonObject): readonly number[] =>
  Array.isArray(target_ids) ? target_ids.map(Number) : []

const wanted = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  const isAll = await isForAll(input)
  if (isAll instanceof Refusal) return isAll
  return { ...input.fields, target_all: isAll, target_ids: isAll ? null : namedIn(input.fields) }
}

/** Where all sections are published already, no action is made. */
const nothingToPublish: Instead = {
  answers: 200,
  schema: nothingSchema,
  async when(input) {
    const isAll = await isForAll(input)
    return isAll === true ? !(await hasUnpublished(Number(input.owner?.id), input.at, input.read)) : isAll
  },
  of: () => ({ ...NOTHING }),
}

/** Courses::Sections::PublishAction: publishes sections of a course with their lessons. */
export const publishAction = job({
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
    create: ['createCoursesSectionsPublishActions', PATH],
    show: ['getCoursesSectionsPublishActions', ONE],
    remove: ['removeCoursesSectionsPublishActions', ONE],
  },
  creation: { summary: 'Publishes sections with their lessons', wanted, instead: nothingToPublish },
  async perform(action, sectionId, { read }) {
    const found = await read.one(section, sectionId)
    const sections = within(courses, found?.course_id ?? 0, section)
    const by = { publish_action_id: action.id, asked_at: action.created_at }
    return found ? ask(sections, sectionId, 'publish', by) : []
  },
})
