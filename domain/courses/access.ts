import type { RecordOf } from '../kernel/model/model.ts'
import { isLive } from '../resources/publishing.ts'
import type { course, lesson, section } from './course/model.ts'
import { type Grant, isInForce } from './enrollment/model.ts'

const DAY_MS = 24 * 60 * 60_000

/** A course with all that it holds, as far as access depends on it. */
export interface Contents {
  readonly course: Pick<RecordOf<typeof course>, 'published_at'>
  readonly sections: readonly Pick<
    RecordOf<typeof section>,
    'id' | 'parent_id' | 'published_at' | 'days_till_drip_access' | 'blocker_section_id' | 'blocker_lesson_id'
  >[]
  readonly lessons: readonly Pick<RecordOf<typeof lesson>, 'id' | 'section_id' | 'published_at'>[]
}

/** An enrolment, as far as access depends on it. */
export interface Enrolled {
  readonly created_at: string
  readonly suspended: boolean
  readonly grants: readonly Grant[]
  readonly completed: ReadonlySet<number>
}

/** Why a lesson is closed: it is not to be seen at all, or opens by itself or by what the contact does. */
export type Closed =
  | { readonly because: 'not_published' | 'not_granted' | 'suspended' }
  | { readonly because: 'drip'; readonly opens_at: string }
  | { readonly because: 'blocker'; readonly lesson_id: number | null; readonly section_id: number | null }

/** What a contact may see of a course at a time. Every door asks it. */
export class Access {
  readonly #contents: Contents
  readonly #enrolled: Enrolled
  readonly #at: string
  readonly #granted: ReadonlySet<number>
  readonly #sections: ReadonlyMap<number, Contents['sections'][number]>
  readonly #lessons: ReadonlyMap<number, Contents['lessons'][number]>

  constructor(contents: Contents, enrolled: Enrolled, at: string) {
    this.#contents = contents
    this.#enrolled = enrolled
    this.#at = at
    this.#granted = grantedSections(enrolled.grants, at)
    this.#sections = new Map(contents.sections.map((one) => [one.id, one]))
    this.#lessons = new Map(contents.lessons.map((one) => [one.id, one]))
  }

  /** Lessons that count for progress: published with their section and course, and granted, whether they are open yet or not. */
  get counted(): readonly number[] {
    return this.#contents.lessons.flatMap(({ id }) => (this.#counts(id) ? [id] : []))
  }

  /** Percentage of the lessons that count which are completed, floored: 100 means all. */
  get progress(): number {
    const all = this.counted
    const done = all.filter((id) => this.#enrolled.completed.has(id)).length
    return all.length === 0 ? 0 : Math.floor((100 * done) / all.length)
  }

  /** Whether all lessons of the course that count are completed, and there are any. */
  get isCompleted(): boolean {
    const all = this.counted
    return all.length > 0 && all.every((id) => this.#enrolled.completed.has(id))
  }

  /** Sections that are blocked by what cannot be completed: it is not published, or not granted. Such a blocker holds nobody up. */
  get unfulfillable(): readonly number[] {
    return this.#contents.sections.flatMap(({ id, blocker_lesson_id, blocker_section_id }) => {
      const isLost =
        (blocker_lesson_id !== null && !this.#counts(blocker_lesson_id)) ||
        (blocker_section_id !== null && this.#countedIn(blocker_section_id).length === 0)
      return isLost && this.#granted.has(id) ? [id] : []
    })
  }

  /** Whether all lessons of a section that count are completed, and there are any. */
  isSectionCompleted(sectionId: number): boolean {
    const all = this.#countedIn(sectionId)
    return all.length > 0 && all.every((id) => this.#enrolled.completed.has(id))
  }

  /** Returns why a lesson is closed to the contact; `undefined`: it is open. */
  closed(lessonId: number): Closed | undefined {
    const found = this.#lessons.get(lessonId)
    const within = found && this.#sections.get(found.section_id)
    if (!within || !this.#isPublished(lessonId)) return { because: 'not_published' }
    if (!this.#granted.has(within.id)) return { because: 'not_granted' }
    if (this.#enrolled.suspended) return { because: 'suspended' }
    // What was completed stays readable, whatever drip and blockers are set afterwards.
    return this.#enrolled.completed.has(lessonId) ? undefined : this.#gateOf(within)
  }

  #gateOf({ days_till_drip_access: days, blocker_lesson_id, blocker_section_id }: Contents['sections'][number]) {
    const opens_at = new Date(Date.parse(this.#enrolled.created_at) + (days ?? 0) * DAY_MS).toISOString()
    if (opens_at > this.#at) return { because: 'drip', opens_at } as const
    const lesson_id = blocker_lesson_id !== null && this.#blocks([blocker_lesson_id]) ? blocker_lesson_id : null
    const blocking = blocker_section_id === null ? [] : this.#countedIn(blocker_section_id)
    const section_id = this.#blocks(blocking) ? blocker_section_id : null
    return lesson_id === null && section_id === null
      ? undefined
      : ({ because: 'blocker', lesson_id, section_id } as const)
  }

  /** Whether one of these lessons is still to be completed. One that cannot be, since it is not there for this contact, holds nobody up. */
  #blocks(lessonIds: readonly number[]): boolean {
    return lessonIds.some((id) => this.#counts(id) && !this.#enrolled.completed.has(id))
  }

  #countedIn(sectionId: number): readonly number[] {
    return this.#contents.lessons.flatMap(({ id, section_id }) =>
      section_id === sectionId && this.#counts(id) ? [id] : [],
    )
  }

  #counts(lessonId: number): boolean {
    const found = this.#lessons.get(lessonId)
    return found !== undefined && this.#isPublished(lessonId) && this.#granted.has(found.section_id)
  }

  /** Whether a lesson, its section and its course are all published. The section that a course begins with always is. */
  #isPublished(lessonId: number): boolean {
    const found = this.#lessons.get(lessonId)
    const within = found && this.#sections.get(found.section_id)
    if (!found || !within) return false
    const all = [this.#contents.course, found, ...(within.parent_id === null ? [] : [within])]
    return all.every((one) => isLive(one, this.#at))
  }
}

/** Returns the sections that some cause gives access to at a time. */
export const grantedSections = (grants: readonly Grant[], at: string): ReadonlySet<number> =>
  new Set(grants.flatMap((one) => (isInForce(one, at) ? one.section_ids : [])))
