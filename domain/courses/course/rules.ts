import { decider } from '../../kernel/decide/decider.ts'
import {
  type ActContext,
  type DecisionContext,
  type Events,
  type Reader,
  rules,
  type StreamRecords,
} from '../../kernel/decide/rules.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { slugOf } from '../../resources/attributes/slug.ts'
import { appears, isLive, publishedAsAsked } from '../../resources/publishing.ts'
import { variant } from '../../store/public.ts'
import { blockerProblem } from './blockers.ts'
import { course, lesson, section } from './model.ts'

const { event } = course

/** What a request to publish sends. */
type Publish = { readonly published_at?: string | null }
type PublishSection = Publish & {
  readonly publish_action_id?: number
  /** When the action was asked for. */
  readonly asked_at?: string
}
type PublishCourse = Publish & { readonly publish_sections_and_lessons?: boolean | null }

type OfCourse<Input = unknown> = ActContext<typeof course, Input>
type OfSection<Input = unknown> = ActContext<typeof section, Input>
type OfLesson<Input = unknown> = ActContext<typeof lesson, Input>

const begin = ({ before, ids }: DecisionContext<typeof course>) =>
  before ? undefined : { root_section_id: idAt(ids, 0) }

/** Returns the place behind all others. */
const last = (others: readonly { readonly sort_order: number }[]): number =>
  others.reduce((most, { sort_order }) => Math.max(most, sort_order + 1), 0)

/** Returns a path below another one, made from a title. It is that of no other record of the course. */
const pathBelow = (path: string, title: string, fallback: string, records: StreamRecords): string => {
  const taken = new Set([...records.all(section), ...records.all(lesson)].map(({ current_path }) => current_path))
  const own = `${path}/${slugOf(title, fallback)}`
  let free = own
  for (let next = 2; taken.has(free); next++) free = `${own}-${next}`
  return free
}

const lessonsIn = (records: StreamRecords, sectionId: number) =>
  records.all(lesson).filter(({ section_id }) => section_id === sectionId)

/** Puts a new section behind the others, in the one that the course began with. */
const placeSection = ({ before, after, records }: DecisionContext<typeof section>) => {
  const own = records.root(course)
  if (before || !own) return undefined
  const others = records.all(section).filter(({ parent_id }) => parent_id !== null)
  const current_path = pathBelow(own.current_path, after.title, 'module', records)
  return { parent_id: own.root_section_id, sort_order: last(others), current_path }
}

const checkBlockers = ({ id, after, records }: DecisionContext<typeof section>) => blockerProblem(id, after, records)

/** Puts a new lesson behind the others of its section. */
const placeLesson = ({ before, after, records }: DecisionContext<typeof lesson>) => {
  if (before) return undefined
  const { current_path: path = '' } = records.one(section, after.section_id) ?? {}
  return {
    sort_order: last(lessonsIn(records, after.section_id)),
    current_path: pathBelow(path, after.title, 'lesson', records),
  }
}

type When = {
  readonly published_at: string | null
  readonly appears_at: string | null
  readonly publish_action_id?: number
}

/** Publishes lessons of a section that are not public at this moment, or will be at another time than they shall. */
const publishLessons = (records: StreamRecords, sectionId: number, when: When, at: string): Events<typeof course> =>
  lessonsIn(records, sectionId)
    .filter((one) => !isLive(one, at))
    .map(({ id }) => event.LessonPublished({ lesson_id: id, ...when }))

/** Publishes sections that are not public yet, and of each section, also one that is, the lessons that are not. */
const publishSections = (records: StreamRecords, when: When, at: string): Events<typeof course> =>
  records
    .all(section)
    .flatMap((one) => [
      ...(one.parent_id === null || isLive(one, at) ? [] : [event.SectionPublished({ section_id: one.id, ...when })]),
      ...publishLessons(records, one.id, when, at),
    ])

const nowAt = (at: string): When => ({ published_at: at, appears_at: null })

const publish = ({ before, wanted, at, records }: OfCourse<PublishCourse>) => {
  const when = publishedAsAsked(before, wanted.published_at, at)
  if (when instanceof Refusal) return when
  const own = when ? [event.CoursePublished(when)] : []
  if (wanted.publish_sections_and_lessons !== true) return own
  return [...own, ...publishSections(records, when ?? nowAt(at), at)]
}

/** Publishes a section with the lessons that are not public yet. One that is public already still publishes these. */
const publishSection = ({ id, before, wanted, at, records }: OfSection<PublishSection>) => {
  const { published_at, publish_action_id, asked_at } = wanted
  if (before.parent_id === null)
    return refuse.invalid('The primary module cannot be published: publish its modules', 'published_at', 'root')
  const when = publishedAsAsked(before, published_at, at)
  if (when instanceof Refusal) return when
  if (asked_at !== undefined && before.put_off_at !== null && before.put_off_at > asked_at)
    return refuse.conflict('The module was put off after this was asked for')
  const by = publish_action_id === undefined ? {} : { publish_action_id }
  const own = when ? [event.SectionPublished({ section_id: id, ...when, ...by })] : []
  return [...own, ...publishLessons(records, id, { ...(when ?? nowAt(at)), ...by }, at)]
}

const publishLesson = ({ id, before, wanted, at }: OfLesson<Publish>) => {
  const when = publishedAsAsked(before, wanted.published_at, at)
  if (when instanceof Refusal) return when
  return when ? [event.LessonPublished({ lesson_id: id, ...when })] : []
}

const appear = ({ before, at }: OfCourse) => (appears(before, at) ? [event.CourseAppeared()] : [])
const appearSection = ({ id, before, at }: OfSection) =>
  appears(before, at) ? [event.SectionAppeared({ section_id: id })] : []
const appearLesson = ({ id, before, at }: OfLesson) =>
  appears(before, at) ? [event.LessonAppeared({ lesson_id: id })] : []

/** Lets sections wait no more for a section or lessons that go. */
const unblock = (
  records: StreamRecords,
  sectionId: number | null,
  lessonIds: readonly number[],
): Events<typeof course> =>
  records.all(section).flatMap(({ id, blocker_section_id, blocker_lesson_id }) => {
    const lost = {
      ...(sectionId !== null && blocker_section_id === sectionId && { blocker_section_id: null }),
      ...(blocker_lesson_id !== null && lessonIds.includes(blocker_lesson_id) && { blocker_lesson_id: null }),
    }
    return id === sectionId || Object.keys(lost).length === 0 ? [] : [event.SectionChanged({ section_id: id, ...lost })]
  })

/** Reads which variant sells a section alone. Only a removal needs it: its buyers would get nothing. */
const loadUses = async ({ act, id, before }: DecisionContext<typeof section>, read: Reader) => {
  const sold = act === 'remove' ? await read.find(variant, { where: { course_ids: before?.course_id ?? 0 } }) : []
  return sold.find(({ included_courses }) => included_courses.some(({ section_ids }) => section_ids?.includes(id)))
}

const keepSold = (_: unknown, sold: Awaited<ReturnType<typeof loadUses>>) =>
  sold && refuse.invalid(`Module cannot be deleted: the variant ${sold.name} includes it`, 'base', 'in_use')

const removeSection = ({ id, before, records }: OfSection) => {
  if (before.parent_id === null) return refuse.invalid('The primary module stays as long as its course', 'id', 'root')
  const lesson_ids = lessonsIn(records, id).map((one) => one.id)
  return [...unblock(records, id, lesson_ids), event.SectionRemoved({ section_id: id, lesson_ids })]
}

const removeLesson = ({ id, records }: OfLesson) => [
  ...unblock(records, null, [id]),
  event.LessonRemoved({ lesson_id: id }),
]

/** Rules of a course with its sections and lessons. */
export const courses = decider(course, {
  rules: rules(course, { save: [begin], acts: { publish, appear }, timers: { appear: 'appear' } }),
  children: [
    rules(section, {
      loadFacts: loadUses,
      save: [placeSection, checkBlockers],
      preventRemoval: keepSold,
      remove: removeSection,
      acts: { publish: publishSection, appear: appearSection },
      timers: { appear: 'appear' },
    }),
    rules(lesson, {
      save: [placeLesson],
      remove: removeLesson,
      acts: { publish: publishLesson, appear: appearLesson },
      timers: { appear: 'appear' },
    }),
  ],
})
