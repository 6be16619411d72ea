import type { Taking } from '../../domain/emails/mailing/model.ts'
import type { MailRate } from '../../domain/emails/rates/notation.ts'

interface Counted {
  readonly at: number
  count: number
}

/** Mails of the last stretch of time, by when they were taken. */
export class Window {
  readonly #perMs: number
  readonly #taken: Counted[]
  #count = 0

  /** @param taken mails on record, in any order */
  constructor(perMs: number, taken: readonly Taking[] = []) {
    this.#perMs = perMs
    this.#taken = taken.map(({ at, count }) => ({ at: Date.parse(at), count })).sort((a, b) => a.at - b.at)
    for (const { count } of this.#taken) this.#count += count
  }

  get perMs(): number {
    return this.#perMs
  }

  /** Returns the places that are free now. */
  free({ mails }: MailRate, now: number): number {
    for (let [first] = this.#taken; first && first.at <= now - this.#perMs; [first] = this.#taken) {
      this.#count -= first.count
      this.#taken.shift()
    }
    return Math.max(0, mails - this.#count)
  }

  /** Returns when the next place is free. */
  next({ mails }: MailRate, now: number): number {
    let over = this.#count - mails
    for (const { at, count } of this.#taken) {
      if (over < 0) break
      over -= count
      if (over < 0) return at + this.#perMs
    }
    return now
  }

  take(count: number, now: number): void {
    if (count === 0) return
    const last = this.#taken.at(-1)
    if (last?.at === now) last.count += count
    else this.#taken.push({ at: now, count })
    this.#count += count
  }

  /** Gives a place back that was taken last and not used. */
  giveBack(): void {
    const last = this.#taken.at(-1)
    if (!last) return
    last.count--
    this.#count--
    if (last.count === 0) this.#taken.pop()
  }
}
