import { Type } from 'typebox'
import { managed } from '../../kernel/model/field.ts'
import { data, flag, integer, moment, reference, text } from '../../kernel/model/fields.ts'
import { type FoldContext, model } from '../../kernel/model/model.ts'
import { nullable, nullableDateTime } from '../../resources/schemas.ts'

/** What gave access: the line of an invoice, a run of a workflow, a bulk action, or somebody's request. */
export type Cause = { readonly source_type: string; readonly source_id: number }

/** Sections that a cause gives access to, and whether it gave the whole course. */
type Given = Cause & { readonly section_ids: readonly number[]; readonly whole_course: boolean }

/** Access to sections by one cause, until it ends. */
export type Grant = Given & {
  readonly ended_at: string | null
  /** From when it gives no access any more, where that is known before. */
  readonly ends_at: string | null
  /** Whether it has ended with its cause, or because somebody said so. */
  readonly ended_by: 'cause' | 'request' | null
}

/** Whether a cause gives access at a time. */
export const isInForce = ({ ended_at, ends_at }: Pick<Grant, 'ended_at' | 'ends_at'>, at: string): boolean =>
  ended_at === null && (ends_at === null || ends_at > at)

/** Lesson that a contact has completed. */
export const completion = model('courses/lesson_completion', {
  stream: 'courses/enrollment',
  owner: 'enrollment_id',
  attributes: {
    course_id: managed(reference('course', { required: true, onTargetEnd: 'keep' }), { shown: 'never' }),
    lesson_id: reference('courses/lesson', { required: true, onTargetEnd: 'keep' }),
    completed_at: managed(moment({ required: true })),
  },
  events: { LessonCompleted: { creates: true }, LessonCompletionUndone: { ends: true } },
})

export const sameCause = (one: Cause, other: Cause): boolean =>
  one.source_type === other.source_type && one.source_id === other.source_id

type Held = { readonly grants: readonly Grant[] } | undefined

/** Returns the grant with which a cause begins to give access. */
export const granted = ({ source_type, source_id, section_ids, whole_course }: Given): Grant => ({
  ...{ source_type, source_id, section_ids, whole_course },
  ...{ ended_at: null, ends_at: null, ended_by: null },
})

const withGrant = (before: Held, given: Given): readonly Grant[] => [
  ...(before?.grants ?? []).filter((one) => !sameCause(one, given)),
  granted(given),
]

const changed = (before: Held, which: (one: Grant) => boolean, change: Partial<Grant>) => ({
  grants: (before?.grants ?? []).map((one) => (which(one) ? { ...one, ...change } : one)),
})

type Extended = { readonly section_ids: readonly number[]; readonly only: string | null }

/** Whether a cause gives further sections: one that has not ended, or such a one of a type that gave the whole course. */
export const isExtended = ({ ended_at, source_type, whole_course }: Grant, only: string | null): boolean =>
  ended_at === null && (only === null || (only === source_type && whole_course))

const union = (ids: readonly number[], more: readonly number[]): readonly number[] => [...new Set([...ids, ...more])]

const grants = () =>
  data<readonly Grant[], { readonly initial: readonly [] }>(
    Type.Array(
      Type.Object({
        source_type: Type.String(),
        source_id: Type.Integer(),
        section_ids: Type.Array(Type.Integer()),
        whole_course: Type.Boolean({ description: 'Whether it gave all that the course had' }),
        ended_at: nullableDateTime,
        ends_at: nullable(Type.String({ format: 'date-time', description: 'From when it gives no access any more' })),
        ended_by: nullable(Type.Enum(['cause', 'request'])),
      }),
      { description: 'Causes of access. Access is to the sections of all that have not ended' },
    ),
    { initial: [] },
  )

/**
 * Enrolment of a contact in a course: what gave access, and what was completed. There is one for each contact and course, whatever begins and ends. Days until
 * a section opens count from its creation.
 */
export const enrollment = model('courses/enrollment', {
  attributes: {
    contact_id: reference('contact', { required: true, immutable: true, onTargetEnd: { act: 'remove' } }),
    course_id: managed(reference('course', { required: true, onTargetEnd: { act: 'remove' } })),
    suspended: flag({ nullable: true, initial: false, about: 'A switch of the staff, which nothing else turns' }),
    suspension_reason: text({ nullable: true, max: 1000, personal: true }),
    origination_source_type: managed(text({ required: true })),
    origination_source_id: managed(integer({ required: true })),
    grants: managed(grants()),
    /** When the course was completed for the first time. */
    completed_at: managed(moment({ nullable: true })),
    completed_section_ids: managed(
      data<readonly number[], { readonly initial: readonly [] }>(Type.Array(Type.Integer()), { initial: [] }),
      { shown: 'never' },
    ),
    /** When each lesson was viewed on its page for the last time that counted. */
    viewed: managed(
      data<Readonly<Record<string, string>>, { readonly initial: Record<never, never> }>(Type.Object({}), {
        initial: {},
      }),
      { shown: 'never' },
    ),
  },
  events: {
    ContactEnrolled: { creates: true, except: ['completed_at', 'completed_section_ids', 'viewed'] },
    /** A cause gives access, or gives it again. */
    AccessGranted: { evolve: (before: Held, given: Given) => ({ grants: withGrant(before, given) }) },
    /** Access came back to who had none any more. */
    ContactEnrolledAgain: { evolve: (before: Held, given: Given) => ({ grants: withGrant(before, given) }) },
    /** Everything that gives access gives it to further sections. */
    AccessExtended: {
      evolve: (before: Held, { section_ids, only }: Extended) => ({
        grants: (before?.grants ?? []).map((one) =>
          isExtended(one, only) ? { ...one, section_ids: union(one.section_ids, section_ids) } : one,
        ),
      }),
    },
    /** Sections are taken from everything that gives them. */
    AccessTaken: {
      evolve: (before: Held, { section_ids }: { readonly section_ids: readonly number[] }) => ({
        grants: (before?.grants ?? []).map((one) =>
          one.ended_at === null
            ? { ...one, section_ids: one.section_ids.filter((id) => !section_ids.includes(id)) }
            : one,
        ),
      }),
    },
    /** It is known when a cause will give no access any more, or it is not known any more. */
    AccessLimited: {
      evolve: (before: Held, { ends_at, ...cause }: Cause & { readonly ends_at: string | null }) =>
        changed(before, (one) => one.ended_at === null && sameCause(one, cause), { ends_at }),
    },
    AccessEnded: {
      evolve: (before: Held, cause: Cause, { at }: FoldContext) =>
        changed(before, (one) => one.ended_at === null && sameCause(one, cause), { ended_at: at, ended_by: 'cause' }),
    },
    /** Nothing gives access any more: the last cause has ended, or somebody has ended all that were left. */
    EnrollmentEnded: {
      evolve: (before: Held, _: unknown, { at }: FoldContext) =>
        changed(before, ({ ended_at }) => ended_at === null, { ended_at: at, ended_by: 'request' }),
    },
    EnrollmentSuspended: { constants: { suspended: true } },
    EnrollmentResumed: { constants: { suspended: false } },
    SuspensionReasonSet: { sets: ['suspension_reason'] },
    /** The contact had a lesson shown. */
    LessonViewed: {
      evolve: (
        before: { readonly viewed: Readonly<Record<string, string>> } | undefined,
        { lesson_id }: { readonly lesson_id: number },
        { at }: FoldContext,
      ) => ({ viewed: { ...before?.viewed, [lesson_id]: at } }),
    },
    LessonCompleted: {},
    LessonCompletionUndone: {},
    SectionCompleted: {
      evolve: (
        before: { readonly completed_section_ids: readonly number[] } | undefined,
        { section_id }: { readonly section_id: number },
      ) => ({
        completed_section_ids: union(before?.completed_section_ids ?? [], [section_id]),
      }),
    },
    CourseCompleted: { stamps: 'completed_at' },
    EnrollmentRemoved: { ends: true },
  },
  person: 'contact_id',
  timers: {
    'access-end': {
      due: ({ grants }) =>
        grants
          .flatMap(({ ended_at, ends_at }) => (ended_at === null && ends_at !== null ? ends_at : []))
          .toSorted()[0] ?? null,
    },
  },
  derives: {
    version: 1,
    of: ({ course_id, grants }) => ({
      enrolled_in: grants.some(({ ended_at }) => ended_at === null) ? course_id : null,
    }),
  },
  children: { completions: { model: completion, key: 'completion_id', keys: 'completion_ids' } },
  unique: [{ attributes: ['contact_id', 'course_id'], says: 'Contact is already enrolled in this course' }],
})
