import { courses } from '../../../domain/courses/course/rules.ts'
import { AT, ask, given } from '../../support/decider.ts'

const later = '2026-03-01T12:00:00.000Z'
const begun = {
  type: 'CourseCreated',
  data: { title: 'Throwing', current_path: '/throwing', root_section_id: 10, description: '' },
}
const added = (section_id: number, more: object = {}) => ({
  type: 'SectionAdded',
  data: { section_id, title: `Module ${section_id}`, parent_id: 10, current_path: `/throwing/${section_id}`, ...more },
})
const lesson = (lesson_id: number, section_id: number) => ({
  type: 'LessonAdded',
  data: { lesson_id, section_id, title: 'Wedging', current_path: `/throwing/${section_id}/${lesson_id}` },
})
const published = (published_at = AT, appears_at: string | null = null) => ({ published_at, appears_at })
const blocked = (section_id: number, by: object) => ({ type: 'SectionChanged', data: { section_id, ...by } })

const change = (id: number, wanted: object) => ask('change', wanted, { child: 'sections', id })
const course = [begun, added(11), added(12), added(13), lesson(21, 11), lesson(22, 12), lesson(23, 13)]

describe('a course', () => {
  it('15 16: takes a blocker of the same course alone, and neither the section itself nor one of its lessons', () => {
    const refuses = (wanted: object, says: string) =>
      given(courses, ...course)
        .when(change(11, wanted))
        .refuses('invalid', says)
    refuses({ blocker_section_id: 99 }, 'Blocker section must be of the same course')
    refuses({ blocker_lesson_id: 99 }, 'Blocker lesson must be of the same course')
    refuses({ blocker_section_id: 11 }, 'Blocker section waits for this section itself')
    refuses({ blocker_lesson_id: 21 }, 'Blocker lesson waits for this section itself')
    given(courses, ...course)
      .when(change(11, { blocker_section_id: 12, blocker_lesson_id: 23 }))
      .then(blocked(11, { blocker_section_id: 12, blocker_lesson_id: 23 }))
  })

  it('15 16: refuses a chain of blockers that comes back to itself, by sections and lessons', () => {
    const chain = [...course, blocked(11, { blocker_section_id: 12 }), blocked(12, { blocker_lesson_id: 23 })]
    given(courses, ...chain)
      .when(change(13, { blocker_section_id: 11 }))
      .refuses('invalid', 'Blocker section waits for this section itself')
    given(courses, ...chain)
      .when(change(13, { blocker_lesson_id: 21 }))
      .refuses('invalid', 'Blocker lesson waits for this section itself')
  })

  it('lets nobody wait for a section or a lesson that is deleted', () => {
    const waiting = [...course, blocked(12, { blocker_section_id: 11 }), blocked(13, { blocker_lesson_id: 21 })]
    given(courses, ...waiting)
      .when(ask('remove', {}, { child: 'sections', id: 11 }))
      .then(blocked(12, { blocker_section_id: null }), blocked(13, { blocker_lesson_id: null }), {
        type: 'SectionRemoved',
        data: { section_id: 11, lesson_ids: [21] },
      })
    given(courses, ...waiting)
      .when(ask('remove', {}, { child: 'lessons', id: 21 }))
      .then(blocked(13, { blocker_lesson_id: null }), { type: 'LessonRemoved', data: { lesson_id: 21 } })
  })

  it('15 12: changes nothing where what is published is published without a date, and takes it away until a later one', () => {
    const live = [...course, { type: 'CoursePublished', data: published('2026-02-01T00:00:00.000Z') }]
    given(courses, ...live)
      .when(ask('publish'))
      .thenNothing()
    given(courses, ...live)
      .when(ask('publish', { published_at: later }))
      .then({ type: 'CoursePublished', data: published(later, later) })
  })

  it('15 25: appears once at the time that was said last, however often the timer comes', () => {
    const scheduled = (at: string) => ({ type: 'LessonPublished', data: { lesson_id: 21, ...published(at, at) } })
    const due = ask('appear', {}, { child: 'lessons', id: 21 })
    given(courses, ...course, scheduled(AT), scheduled(later))
      .when(due)
      .thenNothing()
    given(courses, ...course, scheduled(later), { type: 'LessonPublished', data: { lesson_id: 21, ...published() } })
      .when(due)
      .thenNothing()
    const appeared = { type: 'LessonAppeared', data: { lesson_id: 21 } }
    given(courses, ...course, scheduled(AT))
      .when(due)
      .then(appeared)
    given(courses, ...course, scheduled(AT), appeared)
      .when(due)
      .thenNothing()
  })

  it('is published with all that it holds, also with a draft lesson of a section that is public', () => {
    const sectionLive = (section_id: number) => ({ type: 'SectionPublished', data: { section_id, ...published() } })
    const lessonLive = (lesson_id: number) => ({ type: 'LessonPublished', data: { lesson_id, ...published() } })
    const before = [...course, sectionLive(11), lessonLive(21), lesson(24, 11)]
    given(courses, ...before)
      .when(ask('publish', { publish_sections_and_lessons: true }))
      .then(
        { type: 'CoursePublished', data: published() },
        lessonLive(24),
        sectionLive(12),
        lessonLive(22),
        sectionLive(13),
        lessonLive(23),
      )
  })

  it('keeps to what was said of a section by hand after an action was asked for', () => {
    const section = { section_id: 13 }
    const putOff = { type: 'SectionPublished', data: { ...section, ...published(later, later) } }
    const byAction = (asked_at: string) =>
      ask('publish', { publish_action_id: 5, asked_at }, { child: 'sections', id: 13 })
    const live = { type: 'SectionPublished', data: { ...section, ...published(), publish_action_id: 5 } }
    const lessonLive = {
      type: 'LessonPublished',
      data: { lesson_id: 23, ...published(), publish_action_id: 5 },
    }
    const before = new Date(Date.parse(AT) - 60_000).toISOString()
    given(courses, ...course, putOff)
      .when(byAction(before))
      .refuses('conflict', /was put off/)
    given(courses, ...course, putOff)
      .when(byAction(AT))
      .then(live, lessonLive)
    given(courses, ...course, putOff, { ...live, data: { ...section, ...published() } })
      .when(byAction(before))
      .then(lessonLive)
  })
})
