import { decider } from '../../kernel/decide/decider.ts'
import {
  type ActContext,
  type DecisionContext,
  type Events,
  type Reader,
  rules,
  type StreamRecords,
} from '../../kernel/decide/rules.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { Access, type Contents } from '../access.ts'
import { contentsOf } from '../contents.ts'
import { type Cause, completion, enrollment, type Grant, granted, isExtended, isInForce, sameCause } from './model.ts'

const { event } = enrollment

type Enrollments = Events<typeof enrollment>
/** What a cause gives: these sections, or else all that the course has now. */
type Given = Cause & { readonly section_ids?: readonly number[] | null }
type Of<Input = unknown> = ActContext<typeof enrollment, Input>
type Context = DecisionContext<typeof enrollment, Partial<Given> & { readonly again?: boolean }>

const READS: readonly string[] = ['create', 'change', 'grant']

/** Reads the course where sections are given. */
const loadFacts = async ({ act, before, after }: Context, read: Reader): Promise<Contents | undefined> =>
  READS.includes(act) ? contentsOf(before?.course_id ?? after.course_id, read) : undefined

const given = ({ section_ids }: Pick<Partial<Given>, 'section_ids'>, contents: Contents | undefined) => {
  const all = (contents?.sections ?? []).map(({ id }) => id)
  return section_ids
    ? { section_ids: all.filter((id) => section_ids.includes(id)), whole_course: false }
    : { section_ids: all, whole_course: true }
}

const causeOf = ({ source_type = 'api', source_id = 0 }: Partial<Cause>): Cause => ({ source_type, source_id })

/** Begins an enrolment with what first gave access. */
const begin = ({ before, wanted }: Context, contents: Contents | undefined) => {
  if (before) return undefined
  const { source_type, source_id } = causeOf(wanted)
  return {
    origination_source_type: source_type,
    origination_source_id: source_id,
    grants: [granted({ source_type, source_id, ...given(wanted, contents) })],
  }
}

/** Whether something gives access at a time. */
const isOpen = ({ grants }: Pick<Of['before'], 'grants'>, at: string): boolean =>
  grants.some((one) => isInForce(one, at))

/** Takes up an enrolment that has ended, on a request that would otherwise make it. */
const takeUp = ({ before, wanted, at }: Context, contents: Contents | undefined) => {
  if (!before || wanted.again !== true) return undefined
  if (isOpen(before, at)) return refuse.invalid('Contact is already enrolled in this course', 'contact_id', 'enrolled')
  return [event.ContactEnrolledAgain({ ...causeOf(wanted), ...given(wanted, contents) })]
}

const includes = (held: readonly number[], ids: readonly number[]) => ids.every((id) => held.includes(id))

type Giving = Pick<Grant, 'source_type' | 'source_id' | 'section_ids' | 'whole_course'>

const gives = (before: Of['before'], { source_type, source_id, section_ids, whole_course }: Giving, at: string) => {
  const data = { source_type, source_id, section_ids, whole_course }
  return isOpen(before, at) ? event.AccessGranted(data) : event.ContactEnrolledAgain(data)
}

/** Records a cause of access, though there may be access already. One that gives the same already gives nothing new. */
const grant = ({ before, wanted, at }: Of<Given>, contents: Contents | undefined): Enrollments => {
  const cause = causeOf(wanted)
  const fresh = given(wanted, contents)
  const held = before.grants.find((one) => isInForce(one, at) && sameCause(one, cause))
  if (held && includes(held.section_ids, fresh.section_ids)) return []
  const section_ids = [...new Set([...(held?.section_ids ?? []), ...fresh.section_ids])]
  return [gives(before, { ...cause, section_ids, whole_course: fresh.whole_course || !!held?.whole_course }, at)]
}

/** Causes whose time is over, and that have not been ended yet. */
const expired = ({ grants }: Of['before'], at: string): readonly Grant[] =>
  grants.filter((one) => one.ended_at === null && !isInForce(one, at))

/** Ends causes of access. The enrolment has ended with the last of them. */
const endCauses = (before: Of['before'], causes: readonly Grant[], at: string): Enrollments => {
  const ended = [...new Set([...causes, ...expired(before, at)])]
  const isLeft = isOpen({ grants: before.grants.filter((one) => !ended.includes(one)) }, at)
  return [
    ...ended.map(({ source_type, source_id }) => event.AccessEnded({ source_type, source_id })),
    ...(ended.length > 0 && !isLeft ? [event.EnrollmentEnded()] : []),
  ]
}

/** How long a cause gives access: not any more, until a time, or as long as nothing ends it. */
type Standing = Cause & { readonly isOpen: boolean; readonly ends_at: string | null }
type Standings = { readonly standings: readonly Standing[] }

/**
 * Sets how long causes give access, and no others. One that gives access again gives what it gave before. What somebody has ended by request does not come
 * back so: only a new cause gives it again.
 */
const follow = ({ before, wanted: { standings }, at }: Of<Standings>): Enrollments => {
  let now = before
  const events: Enrollments[number][] = []
  const ended: Grant[] = []
  for (const { isOpen: goesOn, ends_at, ...cause } of standings) {
    const held = now.grants.find((one) => sameCause(one, cause))
    if (!held || held.ended_by === 'request') continue
    if (!goesOn || (ends_at !== null && ends_at <= at)) {
      if (held.ended_at === null) ended.push(held)
      continue
    }
    if (held.ended_at !== null) events.push(gives(now, held, at))
    const isLimitedSo = (held.ended_at === null ? held.ends_at : null) === ends_at
    if (!isLimitedSo) events.push(event.AccessLimited({ ...cause, ends_at }))
    now = { ...now, grants: now.grants.map((one) => (one === held ? { ...granted(held), ends_at } : one)) }
  }
  return ended.length > 0 ? [...events, ...endCauses(now, ended, at)] : events
}

/** Ends the causes whose time is over. */
const expire = ({ before, at }: Of): Enrollments => endCauses(before, [], at)

type Sections = { readonly section_ids: readonly number[] }

type Further = Sections & { readonly only: string | null }

/** Gives further sections to who has access, or has it by one type of cause. Who has none any more gets none. */
const extend = ({ before, wanted: { section_ids, only } }: Of<Further>): Enrollments =>
  before.grants.some((one) => isExtended(one, only) && !includes(one.section_ids, section_ids))
    ? [event.AccessExtended({ section_ids, only })]
    : []

/** Takes sections from everything that gives them. */
const take = ({ before, wanted: { section_ids } }: Of<Sections>): Enrollments => {
  const left = before.grants.filter(({ ended_at }) => ended_at === null)
  if (!left.some((one) => one.section_ids.some((id) => section_ids.includes(id)))) return []
  const isAll = left.every((one) => includes(section_ids, one.section_ids))
  return isAll ? [event.EnrollmentEnded()] : [event.AccessTaken({ section_ids })]
}

/** Ends everything that gives access. */
const end = ({ before }: Of): Enrollments =>
  before.grants.some(({ ended_at }) => ended_at === null) ? [event.EnrollmentEnded()] : []

/** Time within which showing a lesson again is no further view. */
const SAME_VIEW_MS = 30 * 60_000

/** Counts that the contact had a lesson shown, once in a while. */
const viewLesson = ({ before, wanted: { lesson_id }, at }: Of<{ readonly lesson_id: number }>): Enrollments => {
  const last = before.viewed[lesson_id]
  const isSame = last !== undefined && Date.parse(at) - Date.parse(last) < SAME_VIEW_MS
  return isSame ? [] : [event.LessonViewed({ lesson_id })]
}

/** Lessons that are completed. */
const completedIn = (records: StreamRecords): ReadonlySet<number> =>
  new Set(records.all(completion).map(({ lesson_id }) => lesson_id))

type Completion = ActContext<typeof completion>
type Complete = DecisionContext<typeof completion, { readonly by_member?: boolean }>

const loadContents = async ({ act, records }: Complete, read: Reader) => {
  const own = records.root(enrollment)
  return act === 'create' && own ? contentsOf(own.course_id, read) : undefined
}

/** Completes a lesson, and with it perhaps its section and the course. The course is completed once, whatever is added or undone later. */
const complete = (
  { id, after: { lesson_id }, wanted, at, records }: Complete,
  contents: Contents | undefined,
): Enrollments | ReturnType<typeof refuse.invalid> => {
  const own = records.root(enrollment)
  const lesson = contents?.lessons.find((one) => one.id === lesson_id)
  if (!own || !contents || !lesson)
    return refuse.invalid('Lesson must be of the course of the enrollment', 'lesson_id', 'inclusion')
  const done = completedIn(records)
  if (done.has(lesson_id)) return refuse.conflict('The lesson is completed already')
  const enrolled = { ...own, completed: new Set([...done, lesson_id]) }
  if (wanted.by_member === true && new Access(contents, { ...enrolled, completed: done }, at).closed(lesson_id))
    return refuse.invalid('The lesson is not open', 'lesson_id', 'closed')
  const access = new Access(contents, enrolled, at)
  const isNew = !own.completed_section_ids.includes(lesson.section_id)
  return [
    event.LessonCompleted({ completion_id: id, course_id: own.course_id, lesson_id, completed_at: at }),
    ...(isNew && access.isSectionCompleted(lesson.section_id)
      ? [event.SectionCompleted({ section_id: lesson.section_id })]
      : []),
    ...(own.completed_at === null && access.isCompleted ? [event.CourseCompleted()] : []),
  ]
}

const undo = ({ id }: Completion) => [event.LessonCompletionUndone({ completion_id: id })]

/** Rules of an enrolment with what was completed. */
export const enrollments = decider(enrollment, {
  rules: rules(enrollment, {
    loadFacts,
    save: [begin, takeUp],
    acts: { grant, follow, expire, extend, take, end, viewLesson },
    timers: { 'access-end': 'expire' },
  }),
  children: [rules(completion, { loadFacts: loadContents, create: complete, remove: undo })],
})
