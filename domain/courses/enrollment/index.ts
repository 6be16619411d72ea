import { Type } from 'typebox'
import { contactNamed } from '../../contacts/public.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { KnownEvent } from '../../kernel/model/event-types.ts'
import { reference } from '../../kernel/model/fields.ts'
import type { FoldedEvent } from '../../kernel/values/event.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, idFilter, list, show } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { lesson } from '../course/model.ts'
import { coursePath } from '../paths.ts'
import { completion, enrollment } from './model.ts'
import { progressOf, unfulfillableOf } from './progress.ts'
import { enrollments } from './rules.ts'

const ENROLLMENTS = '/courses/{course_id}/enrollments'
const COMPLETIONS = '/courses/{course_id}/lesson_completions'
const underCourse = { param: 'course_id', resource: 'course', field: 'course_id' } as const

type EnrollmentEvent = KnownEvent<typeof enrollment> & Pick<FoldedEvent, 'stream'>

/** Names the contact, and the records of the course that conditions of workflow triggers compare. */
const ofContact =
  (also: (event: EnrollmentEvent, read: ReturnType<typeof readerOver>) => Promise<object> | object = () => ({})) =>
  async (event: EnrollmentEvent, documents: FactReader) => {
    const read = readerOver(documents)
    const [found, conditions] = await Promise.all([
      read.one(enrollment, parseStream(event.stream).id),
      also(event, read),
    ])
    return { contact_id: found?.contact_id ?? null, conditions: { course_id: found?.course_id ?? null, ...conditions } }
  }

const lessonAndSection = async ({ data }: EnrollmentEvent, read: ReturnType<typeof readerOver>) => {
  const found = await read.one(lesson, Number(data.lesson_id))
  return { courses_lesson_id: Number(data.lesson_id), courses_section_id: found?.section_id ?? null }
}

/** A request enrolls in all that the course has now, as the staff member that its token belongs to. */
const requested = ({ fields, caller, exists }: WriteInput) => ({
  ...fields,
  source_type: 'api',
  source_id: caller.membershipId ?? 0,
  ...(exists && { again: true }),
})

/** Courses::Enrollment. */
export const enrollmentResource = serve(enrollment, enrollments, {
  title: 'Courses::Enrollment',
  root: 'courses_enrollment',
  category: 'courses',
  under: underCourse,
  person: 'contact_id',
  indexes: [{ fields: ['contact_id'] }, { fields: ['enrolled_in'] }],
  reads: [lesson.name, 'courses/section', 'course', completion.name],
  view: {
    /** Page of the members' side, which its contact alone can open. */
    current_path: { schema: nullableString, of: ({ course_id }) => coursePath(course_id) },
    progress_percent: {
      schema: Type.Integer({ description: 'Completed lessons of those that are published and granted, floored' }),
      of: progressOf,
    },
    unfulfillable_section_ids: {
      schema: Type.Array(Type.Integer(), {
        description: 'Sections whose blocker is not published or not granted. It does not hold this enrolment up',
      }),
      of: unfulfillableOf,
    },
    contact: { one: 'contact_id', shows: contactNamed },
  },
  operations: {
    listCoursesEnrollments: list(ENROLLMENTS, { filters: { contact_id: idFilter('contact_id'), id: byId } }),
    createCoursesEnrollments: creates(ENROLLMENTS, { upsert: 'contact_id', wanted: requested }),
    getCoursesEnrollments: show('/courses/enrollments/{id}'),
    updateCoursesEnrollments: changes('/courses/enrollments/{id}', { except: ['contact_id'] }),
    endCoursesEnrollments: asks('/courses/enrollments/{id}', 'end', {
      consequence: 'takes a course from a person',
      method: 'DELETE',
      answers: 204,
      beyondContract: true,
      summary: 'Ends everything that gives access. Progress stays, for when access is given again',
    }),
  },
  publishes: {
    '$course.enroll': {
      on: ['ContactEnrolled', 'ContactEnrolledAgain'],
      about: 'A contact was enrolled in a course.',
      alias: 'courses/enrollment.created',
      concerns: ofContact(),
    },
    '$courses.enrollment_updated': {
      on: [
        'AccessGranted',
        'AccessExtended',
        'AccessTaken',
        'AccessLimited',
        'AccessEnded',
        'EnrollmentResumed',
        'SuspensionReasonSet',
      ],
      unlessWith: ['EnrollmentEnded'],
      about: 'An enrolment was changed.',
      alias: 'courses/enrollment.updated',
    },
    '$course.unenroll': {
      on: ['EnrollmentEnded', 'EnrollmentRemoved'],
      about: 'Nothing gives a contact access to a course any more.',
      alias: 'courses/enrollment.deleted',
      concerns: ofContact(),
    },
    '$courses.enrollment_suspended': {
      on: ['EnrollmentSuspended'],
      about: 'A student lost access to a course.',
      alias: 'courses/enrollment.suspended',
    },
    '$course.lesson_view': {
      on: ['LessonViewed'],
      about: 'A contact viewed a lesson on its page.',
      concerns: ofContact(lessonAndSection),
    },
    '$course.section_complete': {
      on: ['SectionCompleted'],
      about: 'A contact completed the last lesson of a section.',
      concerns: ofContact(({ data }) => ({ courses_section_id: Number(data.section_id) })),
    },
    '$course.complete': {
      on: ['CourseCompleted'],
      about: 'A student finished a course.',
      alias: 'courses/enrollment.course_completed',
      concerns: ofContact(),
    },
  },
})

/** Returns what is completed: a lesson for an enrolment of the course in the path. */
const ofCourse = ({ owner, fields, references }: WriteInput) => {
  const [of] = references.enrollment_id ?? []
  return of?.course_id === owner?.id
    ? fields
    : refuse.invalid('Enrollment must be of the course', 'enrollment_id', 'inclusion')
}

/** Courses::LessonCompletion. */
export const completionResource = serve(completion, enrollments, {
  title: 'Courses::LessonCompletion',
  root: 'courses_lesson_completion',
  category: 'courses',
  under: underCourse,
  view: { enrollment_id: { schema: Type.Integer(), of: ({ enrollment_id }) => enrollment_id } },
  operations: {
    listCoursesLessonCompletions: list(COMPLETIONS, {
      filters: { enrollment_id: idFilter('enrollment_id'), lesson_id: idFilter('lesson_id') },
    }),
    createCoursesLessonCompletions: creates(COMPLETIONS, {
      summary: 'Marks a lesson completed for an enrolment',
      input: { enrollment_id: reference(enrollment.name, { required: true }) },
      wanted: ofCourse,
    }),
    getCoursesLessonCompletions: show('/courses/lesson_completions/{id}'),
    removeCoursesLessonCompletions: removes('/courses/lesson_completions/{id}'),
  },
  publishes: {
    '$course.lesson_complete': {
      on: ['LessonCompleted'],
      about: 'A contact completed a lesson.',
      concerns: ofContact(lessonAndSection) as never,
    },
  },
})
