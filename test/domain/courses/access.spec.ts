import { expect } from 'chai'
import { Access, type Contents } from '../../../domain/courses/access.ts'
import { granted } from '../../../domain/courses/enrollment/model.ts'

const BEGUN = '2026-03-27T10:00:00.000Z'
const LONG_AGO = '2026-01-01T00:00:00.000Z'
const NOW = '2026-06-01T00:00:00.000Z'

type Section = Contents['sections'][number]
const section = (id: number, more: Partial<Section> = {}): Section => ({
  ...{ id, parent_id: 1, published_at: LONG_AGO, days_till_drip_access: null },
  ...{ blocker_section_id: null, blocker_lesson_id: null, ...more },
})
const lesson = (id: number, section_id: number, published_at: string | null = LONG_AGO) => ({
  ...{ id, section_id, published_at },
})
const given = (section_ids: readonly number[], id = 1) =>
  granted({ source_type: 'api', source_id: id, section_ids, whole_course: false })

/** What an enrolment gives of a course with a primary module (1) and other sections. */
const access = (
  sections: readonly Section[],
  lessons: Contents['lessons'],
  enrolled: Partial<ConstructorParameters<typeof Access>[1]> = {},
  at = NOW,
  published_at: string | null = LONG_AGO,
) =>
  new Access(
    { course: { published_at }, sections: [section(1, { parent_id: null, published_at: null }), ...sections], lessons },
    {
      ...{ created_at: BEGUN, suspended: false, completed: new Set<number>() },
      grants: [given([1, ...sections.map(({ id }) => id)])],
      ...enrolled,
    },
    at,
  )

describe('access to a course', () => {
  it('15 1: to a section is the union of what all causes give', () => {
    const lessons = [lesson(20, 2), lesson(30, 3), lesson(40, 4)]
    const sections = [section(2), section(3), section(4)]
    const grants = [
      given([2], 1),
      { ...given([3, 2], 2), ended_at: LONG_AGO, ended_by: 'cause' as const },
      given([4], 3),
    ]
    const own = access(sections, lessons, { grants })
    expect(lessons.map(({ id }) => own.closed(id)?.because)).to.deep.equal([undefined, 'not_granted', undefined])
  })

  it('15 5: is closed to who is suspended, whatever gives it', () => {
    expect(access([section(2)], [lesson(20, 2)], { suspended: true }).closed(20)).to.deep.equal({
      because: 'suspended',
    })
  })

  it('15 6: ends to the second at the time that is known before', () => {
    const grants = [{ ...given([2]), ends_at: '2026-05-01T12:00:00.000Z' }]
    const at = (time: string) => access([section(2)], [lesson(20, 2)], { grants }, time).closed(20)?.because
    expect(at('2026-05-01T11:59:59.999Z')).to.equal(undefined)
    expect(at('2026-05-01T12:00:00.000Z')).to.equal('not_granted')
  })

  it('15 11: is to lessons alone that are published with their section and their course', () => {
    const soon = '2026-06-01T00:00:00.001Z'
    for (const [of, own, its] of [
      [null, LONG_AGO, LONG_AGO],
      [soon, LONG_AGO, LONG_AGO],
      [LONG_AGO, null, LONG_AGO],
      [LONG_AGO, soon, LONG_AGO],
      [LONG_AGO, LONG_AGO, null],
      [LONG_AGO, LONG_AGO, soon],
    ] as const) {
      const found = access([section(2, { published_at: own })], [lesson(20, 2, its)], {}, NOW, of)
      expect(found.closed(20)).to.deep.equal({ because: 'not_published' })
      expect(found.counted).to.deep.equal([])
    }
    expect(access([section(2)], [lesson(20, 2), lesson(10, 1)]).counted).to.deep.equal([20, 10])
  })

  it('15 13: drips after as many times 24 hours since the enrolment, also over a change of clocks', () => {
    const drip = (at: string) => access([section(2, { days_till_drip_access: 3 })], [lesson(20, 2)], {}, at).closed(20)
    const opens_at = '2026-03-30T10:00:00.000Z'
    expect(drip('2026-03-30T09:59:59.999Z')).to.deep.equal({ because: 'drip', opens_at })
    expect(drip(opens_at)).to.equal(undefined)
  })

  it('15 14: drips from the enrolment, whenever the section was given', () => {
    const late = [{ ...given([1], 1), ended_at: LONG_AGO }, given([2], 2)]
    const own = access([section(2, { days_till_drip_access: 30 })], [lesson(20, 2)], { grants: late })
    expect(own.closed(20)).to.equal(undefined)
  })

  it('15 15: to what was completed stays, whatever drip or blocker is set afterwards; only grants, suspension and publishing close it', () => {
    const completed = new Set([20])
    const gated = section(2, { days_till_drip_access: 3650, blocker_section_id: 3 })
    const lessons = [lesson(20, 2), lesson(21, 2), lesson(30, 3)]
    const own = (more: object = {}) => access([gated, section(3)], lessons, { completed, ...more })
    expect(own().closed(20)).to.equal(undefined)
    expect(own().closed(21)?.because).to.equal('drip')
    expect(own({ grants: [given([3])] }).closed(20)?.because).to.equal('not_granted')
    expect(own({ suspended: true }).closed(20)?.because).to.equal('suspended')
    expect(access([gated], [lesson(20, 2, null)], { completed }).closed(20)?.because).to.equal('not_published')
  })

  it('waits for the lesson and for all lessons of the section that block it', () => {
    const sections = [section(2), section(3, { blocker_section_id: 2, blocker_lesson_id: 10 })]
    const lessons = [lesson(10, 1), lesson(20, 2), lesson(21, 2), lesson(30, 3)]
    const closed = (...done: number[]) => access(sections, lessons, { completed: new Set(done) }).closed(30)
    expect(closed()).to.deep.equal({ because: 'blocker', lesson_id: 10, section_id: 2 })
    expect(closed(10, 20)).to.deep.equal({ because: 'blocker', lesson_id: null, section_id: 2 })
    expect(closed(20, 21)).to.deep.equal({ because: 'blocker', lesson_id: 10, section_id: null })
    expect(closed(10, 20, 21)).to.equal(undefined)
  })

  it('15 17: is not held up by a blocker that nobody can fulfil, or that this enrolment cannot; the staff is told', () => {
    const blocked = section(3, { blocker_section_id: 2 })
    for (const [other, lessons, grants] of [
      [section(2), [], [given([2, 3])]],
      [section(2), [lesson(20, 2, null)], [given([2, 3])]],
      [section(2, { published_at: null }), [lesson(20, 2)], [given([2, 3])]],
      [section(2), [lesson(20, 2)], [given([3])]],
    ] as const) {
      const own = access([other, blocked], [...lessons, lesson(30, 3)], { grants })
      expect(own.closed(30)).to.equal(undefined)
      expect(own.unfulfillable).to.deep.equal([3])
    }
    const own = access([section(2), blocked], [lesson(20, 2), lesson(30, 3)])
    expect([own.closed(30)?.because, own.unfulfillable]).to.deep.equal(['blocker', []])
  })

  it('15 18: is not taken from who has begun by a blocker that is set then, and no progress is lost', () => {
    const lessons = [lesson(20, 2), lesson(30, 3), lesson(31, 3)]
    const enrolled = { completed: new Set([30]) }
    const before = access([section(2), section(3)], lessons, enrolled)
    const after = access([section(2), section(3, { blocker_section_id: 2 })], lessons, enrolled)
    expect([before.progress, after.progress]).to.deep.equal([33, 33])
    expect(lessons.map(({ id }) => after.closed(id)?.because)).to.deep.equal([undefined, undefined, 'blocker'])
  })

  it('15 19: gives progress in whole percent, floored, of all that is published and given, what is locked included', () => {
    const lessons = Array.from({ length: 200 }, (_, index) => lesson(200 + index, 2))
    const done = (count: number) =>
      access([section(2)], lessons, { completed: new Set(lessons.slice(0, count).map(({ id }) => id)) })
    expect([0, 1, 2, 199, 200].map((count) => done(count).progress)).to.deep.equal([0, 0, 1, 99, 100])
    const locked = access([section(2), section(3, { days_till_drip_access: 3650 })], [lesson(20, 2), lesson(30, 3)], {
      completed: new Set([20]),
    })
    expect(locked.progress).to.equal(50)
    const none = access([section(2)], [])
    expect([none.progress, none.isCompleted]).to.deep.equal([0, false])
  })

  it('15 20: counts what is no longer published or given neither as completed nor as left', () => {
    const completed = new Set([20, 30, 40])
    const lessons = [lesson(20, 2), lesson(21, 2), lesson(30, 3, null), lesson(40, 4)]
    const own = access([section(2), section(3), section(4)], lessons, { completed, grants: [given([2, 3])] })
    expect([own.counted, own.progress]).to.deep.equal([[20, 21], 50])
  })
})
