import { enrollments } from '../../../domain/courses/enrollment/rules.ts'
import { AT, ask, given } from '../../support/decider.ts'

const LIVE = '2026-01-01T00:00:00.000Z'
const LATER = '2026-04-01T00:00:00.000Z'
const section = (id: number, parent_id: number | null = 1) => ({
  ...{ id, parent_id, published_at: LIVE, days_till_drip_access: null, blocker_section_id: null },
  blocker_lesson_id: null,
})
const lesson = (id: number, section_id: number, published_at: string | null = LIVE) => ({
  ...{ id, section_id, published_at },
})
const contents = (...more: readonly object[]) => ({
  course: { published_at: LIVE },
  sections: [section(1, null), section(2), section(3)],
  lessons: [lesson(20, 2), lesson(21, 2), lesson(30, 3), ...more],
})

const api = { source_type: 'api', source_id: 0 }
const bought = (source_id: number) => ({ source_type: 'orders/invoices/line_item', source_id })
const all = { section_ids: [1, 2, 3], whole_course: true }
const inForce = { ended_at: null, ends_at: null, ended_by: null }
const enrolled = (more: object = {}) => ({
  type: 'ContactEnrolled',
  data: {
    ...{ contact_id: 5, course_id: 7, suspended: false, origination_source_type: 'api', origination_source_id: 0 },
    ...{ grants: [{ ...api, ...all, ...inForce }], personal: { suspension_reason: null }, ...more },
  },
})
const event = (type: string, data: object = {}) => ({ type, data: data as Record<string, never> })
const granted = (cause: object, type = 'AccessGranted') => event(type, { ...cause, ...all })
const ended = (cause: object) => event('AccessEnded', cause)
const completed = (lesson_id: number) =>
  event('LessonCompleted', { completion_id: 1000 + lesson_id, course_id: 7, lesson_id, completed_at: AT })

const complete = (lesson_id: number, more: object = {}) =>
  ask('create', { enrollment_id: 1, lesson_id, ...more }, { child: 'completions', id: 1000 + lesson_id })
const follow = (cause: object, isOpen: boolean, ends_at: string | null = null) =>
  ask('follow', { standings: [{ ...cause, isOpen, ends_at }] })

describe('an enrolment', () => {
  it('15 1: records every cause, though there is access already, and takes away with one that ends nothing but itself', () => {
    const held = [enrolled(), granted(bought(8))]
    given(enrollments, enrolled())
      .when(ask('grant', bought(8)), contents())
      .then(granted(bought(8)))
    given(enrollments, ...held)
      .when(follow(bought(8), false))
      .then(ended(bought(8)))
    given(enrollments, ...held, ended(bought(8)))
      .when(follow(bought(8), false))
      .thenNothing()
    given(enrollments, ...held, ended(bought(8)))
      .when(follow(bought(8), true))
      .then(granted(bought(8)))
  })

  it('ends with its last cause, and begins again when that gives access again', () => {
    const only = enrolled({ grants: [{ ...bought(8), ...all, ...inForce }] })
    given(enrollments, only)
      .when(follow(bought(8), false))
      .then(ended(bought(8)), event('EnrollmentEnded'))
    given(enrollments, only, ended(bought(8)), event('EnrollmentEnded'))
      .when(follow(bought(8), true))
      .then(granted(bought(8), 'ContactEnrolledAgain'))
  })

  it('that somebody has ended does not come back with a renewal or a released refund, but with a new cause', () => {
    const held = [enrolled({ grants: [{ ...bought(8), ...all, ...inForce }] }), event('EnrollmentEnded')]
    given(enrollments, ...held)
      .when(follow(bought(8), true))
      .thenNothing()
    given(enrollments, ...held)
      .when(ask('grant', bought(9)), contents())
      .then(granted(bought(9), 'ContactEnrolledAgain'))
  })

  it('15 6: notes when a cause will end, and forgets it when the cancellation is taken back', () => {
    const held = enrolled({ grants: [{ ...bought(8), ...all, ...inForce }] })
    const limited = event('AccessLimited', { ...bought(8), ends_at: LATER })
    given(enrollments, held)
      .when(follow(bought(8), true, LATER))
      .then(limited)
    given(enrollments, held, limited)
      .when(follow(bought(8), true, LATER))
      .thenNothing()
    given(enrollments, held, limited)
      .when(follow(bought(8), true))
      .then(event('AccessLimited', { ...bought(8), ends_at: null }))
    given(enrollments, held, event('AccessLimited', { ...bought(8), ends_at: AT }))
      .when(ask('expire'))
      .then(ended(bought(8)), event('EnrollmentEnded'))
  })

  it('15 5: keeps `suspended` through grants, ends and further sections', () => {
    const held = [enrolled(), event('EnrollmentSuspended')]
    given(enrollments, ...held)
      .when(ask('grant', bought(8)), contents())
      .then(granted(bought(8)))
    given(enrollments, ...held)
      .when(ask('extend', { section_ids: [4], only: null }))
      .then(event('AccessExtended', { section_ids: [4], only: null }))
  })

  it('15 9: gives further sections to who bought the whole course, not to who bought a part of it', () => {
    const part = { ...bought(8), section_ids: [2], whole_course: false, ...inForce }
    const extend = ask('extend', { section_ids: [4], only: 'orders/invoices/line_item' })
    given(enrollments, enrolled({ grants: [part] }))
      .when(extend)
      .thenNothing()
    given(enrollments, enrolled({ grants: [{ ...part, ...all }] }))
      .when(extend)
      .then(event('AccessExtended', { section_ids: [4], only: 'orders/invoices/line_item' }))
  })

  it('15 22: completes a section with the last of its lessons that is completed, in whatever order', () => {
    for (const [first, last] of [
      [20, 21],
      [21, 20],
    ] as const)
      given(enrollments, enrolled(), completed(first))
        .when(complete(last), contents())
        .then(completed(last), event('SectionCompleted', { section_id: 2 }))
  })

  it('15 21: completes the course once: not with a lesson that is added, nor with one that was undone', () => {
    const before = [enrolled(), completed(20), completed(21), event('SectionCompleted', { section_id: 2 })]
    const whole = [completed(30), event('SectionCompleted', { section_id: 3 }), event('CourseCompleted')]
    given(enrollments, ...before)
      .when(complete(30), contents())
      .then(...whole)
    given(enrollments, ...before, ...whole)
      .when(complete(22), contents(lesson(22, 2)))
      .then(completed(22))
    given(enrollments, ...before, ...whole, event('LessonCompletionUndone', { completion_id: 1030 }))
      .when(complete(30), contents())
      .then(completed(30))
  })

  it('15 24: lets members complete what is open to them, and the staff anything of the same course', () => {
    const closed = contents(lesson(31, 3, null))
    given(enrollments, enrolled())
      .when(complete(31, { by_member: true }), closed)
      .refuses('invalid', 'The lesson is not open')
    given(enrollments, enrolled()).when(complete(31), closed).then(completed(31))
    given(enrollments, enrolled())
      .when(complete(99), contents())
      .refuses('invalid', 'Lesson must be of the course of the enrollment')
    given(enrollments, enrolled(), event('EnrollmentSuspended'))
      .when(complete(20, { by_member: true }), contents())
      .refuses('invalid', 'The lesson is not open')
  })
})
