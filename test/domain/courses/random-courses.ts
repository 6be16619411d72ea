import fc from 'fast-check'
import { Access, type Contents } from '../../../domain/courses/access.ts'
import { completion, enrollment } from '../../../domain/courses/enrollment/model.ts'
import { enrollments } from '../../../domain/courses/enrollment/rules.ts'
import type { RecordCommand } from '../../../domain/kernel/decide/rules.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import type { DomainEvent, JsonObject } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { ROOT, WORKSPACE } from '../../support/decider.ts'
import type { OracleCourse } from './oracle.ts'

const HOUR = 60 * 60 * 1000
export const BEGUN = 100
/** Returns the time of an hour of the test. */
export const timeOf = (hour: number): string => new Date(Date.UTC(2026, 0, 1) + hour * HOUR).toISOString()
const stampOf = (hour: number | null) => (hour === null ? null : timeOf(hour))

export const CAUSES = [
  'api/0',
  'orders/invoices/line_item/1',
  'orders/invoices/line_item/2',
  'workflows/run/3',
] as const
/** Returns a cause by its name. */
export const causeOf = (cause: string) => ({
  source_type: cause.slice(0, cause.lastIndexOf('/')),
  source_id: Number(cause.slice(cause.lastIndexOf('/') + 1)),
})

const published = fc.oneof(
  { weight: 4, arbitrary: fc.constant(0) },
  fc.constant(null),
  fc.integer({ min: 90, max: 260 }),
)
const some = fc.array(fc.nat(4), { maxLength: 3 })

/** A course of a primary module and up to four others, which may wait for one another. */
export const course: fc.Arbitrary<OracleCourse> = fc
  .record({
    published,
    sections: fc.array(
      fc.record({
        published,
        days: fc.option(fc.integer({ min: 1, max: 4 })),
        section: fc.option(fc.nat(4)),
        lesson: fc.option(fc.nat(11)),
        lessons: fc.array(published, { maxLength: 3 }),
      }),
      { minLength: 1, maxLength: 5 },
    ),
  })
  .map((made) => {
    const lessonIds = made.sections.flatMap(({ lessons }, at) => lessons.map((_, index) => 100 * (at + 1) + index))
    return {
      published: made.published,
      sections: made.sections.map(({ section, lesson, lessons, ...one }, at) => ({
        ...one,
        id: at + 1,
        isRoot: at === 0,
        blockedBySection: section === null || section === at || section >= made.sections.length ? null : section + 1,
        blockedByLesson: lesson === null ? null : (lessonIds[lesson] ?? null),
        lessons: lessons.map((stamp, index) => ({ id: 100 * (at + 1) + index, published: stamp })),
      })),
    }
  })

/** What happens to an enrolment. */
export const act = fc.oneof(
  fc.record({ act: fc.constant('grant' as const), cause: fc.constantFrom(...CAUSES), sections: fc.option(some) }),
  fc.record({
    act: fc.constant('follow' as const),
    cause: fc.constantFrom(...CAUSES),
    isOpen: fc.boolean(),
    within: fc.option(fc.nat(40)),
  }),
  fc.record({ act: fc.constant('end' as const) }),
  fc.record({ act: fc.constant('take' as const), sections: some }),
  fc.record({ act: fc.constant('extend' as const), sections: some, onlyBuyers: fc.boolean() }),
  fc.record({ act: fc.constant('suspend' as const), suspended: fc.boolean() }),
  fc.record({ act: fc.constant('complete' as const), lesson: fc.nat(11), byMember: fc.boolean() }),
  fc.record({ act: fc.constant('undo' as const), lesson: fc.nat(11) }),
)
/** What happens one after the other, with the hours between. */
export const history = fc.array(fc.tuple(fc.nat(20), act), { maxLength: 14 })

/** Returns a course as the product knows it. */
export const contentsOf = ({ published: stamp, sections }: OracleCourse): Contents => ({
  course: { published_at: stampOf(stamp) },
  sections: sections.map(({ id, isRoot, published: own, days, blockedBySection, blockedByLesson }) => ({
    id,
    parent_id: isRoot ? null : 1,
    published_at: stampOf(own),
    days_till_drip_access: days,
    blocker_section_id: blockedBySection,
    blocker_lesson_id: blockedByLesson,
  })),
  lessons: sections.flatMap(({ id: section_id, lessons }) =>
    lessons.map(({ id, published: own }) => ({ id, section_id, published_at: stampOf(own) })),
  ),
})

/** One enrolment by the rules of the product. */
export class Enrolment {
  readonly contents: Contents
  readonly events: DomainEvent[] = []
  #state = enrollments.initial

  constructor(contents: Contents) {
    this.contents = contents
  }

  asks(hour: number, type: string, wanted: object = {}, more: Partial<RecordCommand> = {}): boolean {
    const stamp = { at: timeOf(hour), actor: { label: 'key:1' } }
    const command = { type, id: ROOT, workspaceId: WORKSPACE, wanted: wanted as JsonObject, ...more, ...stamp }
    const decision = enrollments.decide(this.#state, command, this.contents)
    if (decision instanceof Refusal) return false
    const metadata = {
      ...{ at: stamp.at, actor: 'key:1', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE },
    }
    const first = this.events.length
    this.#state = enrollments.fold(
      this.#state,
      decision.map((event, index) => ({
        ...event,
        stream: streamOf(enrollments, ROOT),
        revision: first + index,
        metadata,
      })),
    )
    this.events.push(...decision)
    return true
  }

  get completions() {
    return new RecordsOfStream(this.#state).all(completion)
  }

  at(hour: number): Access {
    const own = new RecordsOfStream(this.#state).root(enrollment)!
    const completed = new Set(this.completions.map(({ lesson_id }) => lesson_id))
    return new Access(this.contents, { ...own, completed }, timeOf(hour))
  }

  count(...types: readonly string[]): number {
    return this.events.filter(({ type }) => types.includes(type)).length
  }
}
