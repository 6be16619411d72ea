/** Rules of access to courses, written down once more and as plainly as possible, to hold the product against. Times are hours. */
export interface OracleCourse {
  readonly published: number | null
  readonly sections: readonly OracleSection[]
}

export interface OracleSection {
  readonly id: number
  readonly isRoot: boolean
  readonly published: number | null
  readonly days: number | null
  readonly blockedBySection: number | null
  readonly blockedByLesson: number | null
  readonly lessons: readonly { readonly id: number; readonly published: number | null }[]
}

/** What a cause has given, from its beginning to its end. */
interface Given {
  sections: number[]
  isWhole: boolean
  /** Hour at which it ended, or will end. */
  until: number
  isEndedByStaff: boolean
}

const isBought = (cause: string): boolean => cause.startsWith('orders/')

export class Oracle {
  readonly #course: OracleCourse
  readonly #begun: number
  readonly #causes = new Map<string, Given>()
  suspended = false
  readonly done = new Set<number>()

  constructor(course: OracleCourse, begun: number) {
    this.#course = course
    this.#begun = begun
  }

  get #all(): number[] {
    return this.#course.sections.map(({ id }) => id)
  }

  give(cause: string, sections: readonly number[] | null, hour: number): void {
    const held = this.#causes.get(cause)
    const before = held && held.until > hour ? held : undefined
    const isNothingNew = before && (sections ?? this.#all).every((id) => before.sections.includes(id))
    if (isNothingNew) return
    this.#causes.set(cause, {
      sections: [...(before?.sections ?? []), ...(sections ?? this.#all)],
      isWhole: sections === null || before?.isWhole === true,
      until: Number.POSITIVE_INFINITY,
      isEndedByStaff: false,
    })
  }

  follow(cause: string, isOpen: boolean, until: number, hour: number): void {
    const held = this.#causes.get(cause)
    if (!held || held.isEndedByStaff) return
    const wanted = isOpen && until > hour ? until : hour
    if (wanted > hour) held.until = until
    else held.until = Math.min(held.until, hour)
  }

  #endByStaff(held: Given, hour: number): void {
    if (held.until <= hour) return
    held.until = hour
    held.isEndedByStaff = true
  }

  end(hour: number): void {
    for (const held of this.#causes.values()) this.#endByStaff(held, hour)
  }

  take(sections: readonly number[], hour: number): void {
    const left = [...this.#causes.values()].filter(({ until }) => until > hour)
    if (left.every((one) => one.sections.every((id) => sections.includes(id)))) {
      if (left.some((one) => one.sections.length > 0)) this.end(hour)
      return
    }
    for (const one of left) one.sections = one.sections.filter((id) => !sections.includes(id))
  }

  extend(sections: readonly number[], onlyBuyers: boolean, hour: number): void {
    for (const [cause, one] of this.#causes)
      if (one.until > hour && (!onlyBuyers || (isBought(cause) && one.isWhole))) one.sections.push(...sections)
  }

  isEnrolled(hour: number): boolean {
    return [...this.#causes.values()].some(({ until }) => until > hour)
  }

  #sectionOf(lesson: number): OracleSection {
    return this.#course.sections.find(({ lessons }) => lessons.some(({ id }) => id === lesson))!
  }

  /** Whether everything around a lesson is published, and something gives its section. */
  #isThere(lesson: number, hour: number): boolean {
    const section = this.#sectionOf(lesson)
    const own = section.lessons.find(({ id }) => id === lesson)!
    const stamps = [this.#course.published, own.published, section.isRoot ? 0 : section.published]
    return stamps.every((at) => at !== null && at <= hour) && this.#isGiven(section.id, hour)
  }

  #isGiven(section: number, hour: number): boolean {
    return [...this.#causes.values()].some((one) => one.until > hour && one.sections.includes(section))
  }

  #lessons(): number[] {
    return this.#course.sections.flatMap(({ lessons }) => lessons.map(({ id }) => id))
  }

  isOpen(lesson: number, hour: number): boolean {
    if (!this.#isThere(lesson, hour) || this.suspended) return false
    if (this.done.has(lesson)) return true
    const section = this.#sectionOf(lesson)
    if (hour < this.#begun + 24 * (section.days ?? 0)) return false
    const blocking = this.#course.sections
      .filter(({ id }) => id === section.blockedBySection)
      .flatMap(({ lessons }) => lessons.map(({ id }) => id))
    if (section.blockedByLesson !== null) blocking.push(section.blockedByLesson)
    return blocking.every((id) => this.done.has(id) || !this.#isThere(id, hour))
  }

  progress(hour: number): number {
    const there = this.#lessons().filter((id) => this.#isThere(id, hour))
    let percent = 0
    while (there.length > 0 && (percent + 1) * there.length <= 100 * there.filter((id) => this.done.has(id)).length)
      percent++
    return percent
  }

  /** Whether there are lessons in some sections, and all that are there are completed. */
  isDone(sections: readonly number[], hour: number): boolean {
    const there = this.#lessons().filter((id) => this.#isThere(id, hour) && sections.includes(this.#sectionOf(id).id))
    return there.length > 0 && there.every((id) => this.done.has(id))
  }

  sectionOf(lesson: number): number {
    return this.#sectionOf(lesson).id
  }

  get sections(): readonly number[] {
    return this.#all
  }
}
