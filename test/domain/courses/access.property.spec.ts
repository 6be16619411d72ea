import { expect } from 'chai'
import fc from 'fast-check'
import { byForm } from '../../reliability/form.ts'
import { ROOT } from '../../support/decider.ts'
import { Oracle, type OracleCourse } from './oracle.ts'
import { type act, BEGUN, CAUSES, causeOf, contentsOf, course, Enrolment, history, timeOf } from './random-courses.ts'

interface Both {
  readonly oracle: Oracle
  readonly own: Enrolment
  readonly lessons: readonly number[]
  hour: number
}

const complete = ({ oracle, own, lessons, hour }: Both, index: number, byMember: boolean) => {
  const lesson = lessons[index]
  if (lesson === undefined) return
  const isAllowed = !oracle.done.has(lesson) && (!byMember || oracle.isOpen(lesson, hour))
  const wanted = { enrollment_id: ROOT, lesson_id: lesson, by_member: byMember }
  const done = own.asks(hour, 'create', wanted, { child: 'completions', id: 1000 + own.events.length })
  expect(done, `completion of ${lesson} at ${hour}`).to.equal(isAllowed)
  if (done) oracle.done.add(lesson)
}

const undo = ({ oracle, own, lessons, hour }: Both, index: number) => {
  const held = own.completions.find(({ lesson_id }) => lesson_id === lessons[index])
  if (!held) return
  own.asks(hour, 'remove', {}, { child: 'completions', id: held.id })
  oracle.done.delete(held.lesson_id)
}

const happens = (both: Both, one: typeof act extends fc.Arbitrary<infer A> ? A : never) => {
  const { oracle, own, hour } = both
  const named = (indices: readonly number[]) =>
    [...new Set(indices)].map((index) => index + 1).filter((id) => oracle.sections.includes(id))
  switch (one.act) {
    case 'grant': {
      const section_ids = one.sections && named(one.sections)
      own.asks(hour, 'grant', { ...causeOf(one.cause), section_ids })
      return oracle.give(one.cause, section_ids, hour)
    }
    case 'follow': {
      const until = one.within === null ? Number.POSITIVE_INFINITY : hour + one.within
      const ends_at = one.within === null ? null : timeOf(until)
      own.asks(hour, 'follow', { standings: [{ ...causeOf(one.cause), isOpen: one.isOpen, ends_at }] })
      return oracle.follow(one.cause, one.isOpen, until, hour)
    }
    case 'end':
      own.asks(hour, 'expire')
      own.asks(hour, 'end')
      return oracle.end(hour)
    case 'take':
      own.asks(hour, 'expire')
      own.asks(hour, 'take', { section_ids: named(one.sections) })
      return oracle.take(named(one.sections), hour)
    case 'extend':
      own.asks(hour, 'expire')
      own.asks(hour, 'extend', {
        section_ids: named(one.sections),
        only: one.onlyBuyers ? 'orders/invoices/line_item' : null,
      })
      return oracle.extend(named(one.sections), one.onlyBuyers, hour)
    case 'suspend':
      own.asks(hour, 'change', { suspended: one.suspended })
      oracle.suspended = one.suspended
      return
    case 'complete':
      return complete(both, one.lesson, one.byMember)
    default:
      return undo(both, one.lesson)
  }
}

const compare = ({ oracle, own, lessons }: Both, hour: number) => {
  const access = own.at(hour)
  const open = lessons.filter((id) => access.closed(id) === undefined)
  expect(open, `open at ${hour}`).to.deep.equal(lessons.filter((id) => oracle.isOpen(id, hour)))
  expect(access.progress, `progress at ${hour}`).to.equal(oracle.progress(hour))
  expect(access.isCompleted, `completed at ${hour}`).to.equal(oracle.isDone(oracle.sections, hour))
}

const begun = (made: OracleCourse): Both => {
  const own = new Enrolment(contentsOf(made))
  const oracle = new Oracle(made, BEGUN)
  const { source_type, source_id } = causeOf(CAUSES[0])
  own.asks(BEGUN, 'create', { contact_id: 5, course_id: 3, section_ids: null, source_type, source_id })
  oracle.give(CAUSES[0], null, BEGUN)
  const lessons = made.sections.flatMap((one) => one.lessons.map(({ id }) => id))
  return { oracle, own, lessons, hour: BEGUN }
}

describe('access to random courses', function () {
  this.timeout(byForm(120_000, 600_000))
  const numRuns = 5000

  it('15 1 4 5 11 13 14 15 17 18 19 20: is what the rules, written down once more, say it is', () => {
    fc.assert(
      fc.property(course, history, fc.array(fc.nat(80), { maxLength: 3 }), (made, past, later) => {
        const both = begun(made)
        for (const [hours, one] of past) {
          both.hour += hours
          happens(both, one)
          compare(both, both.hour)
        }
        for (const hours of later) compare(both, both.hour + hours)
      }),
      { numRuns },
    )
  })

  it('15 21 22: sections and the course complete once, with the last lesson in whatever order, whatever is undone', () => {
    const deeds = fc.array(fc.record({ lesson: fc.nat(11), isUndone: fc.boolean() }), { maxLength: 30 })
    fc.assert(
      fc.property(course, deeds, (made, done) => {
        const both = begun(made)
        const { oracle, own, lessons } = both
        const sections = new Set<number>()
        let isCompleted = false
        both.hour = BEGUN + 1
        for (const { lesson, isUndone } of done) {
          if (isUndone) {
            undo(both, lesson)
            continue
          }
          const before = oracle.done.size
          complete(both, lesson, false)
          if (oracle.done.size === before) continue
          const section = oracle.sectionOf(lessons[lesson]!)
          if (oracle.isDone([section], both.hour)) sections.add(section)
          isCompleted ||= oracle.isDone(oracle.sections, both.hour)
          expect(own.at(both.hour).progress).to.equal(oracle.progress(both.hour))
        }
        expect(own.count('SectionCompleted')).to.equal(sections.size)
        expect(own.count('CourseCompleted')).to.equal(isCompleted ? 1 : 0)
      }),
      { numRuns },
    )
  })

  it('15 1: an enrolment ends with its last cause and begins again with the next one, in turns', () => {
    fc.assert(
      fc.property(course, history, (made, past) => {
        const both = begun(made)
        for (const [hours, one] of past) {
          both.hour += hours
          both.own.asks(both.hour, 'expire')
          happens(both, one)
          const [starts, ends] = [
            both.own.count('ContactEnrolled', 'ContactEnrolledAgain'),
            both.own.count('EnrollmentEnded'),
          ]
          expect(starts - ends, `enrolled at ${both.hour}`).to.equal(both.oracle.isEnrolled(both.hour) ? 1 : 0)
        }
      }),
      { numRuns },
    )
  })
})
