import type { Slots } from './slots.ts'

/** Slots that one mailing has: free ones, those of mails under way, and those of mails whose outcome is not recorded yet. */
export class Share {
  readonly #slots: Slots
  readonly #of: string
  readonly #onGranted: () => void
  #free = 0
  #spent = 0
  #held = 0
  /** Takes the wish back that is not fulfilled yet. */
  #takeBack: (() => void) | undefined
  #waitsSince = 0

  /** @param of whom it is for: nobody else's mails wait while others of it do */
  constructor(slots: Slots, of: string, onGranted: () => void) {
    this.#slots = slots
    this.#of = of
    this.#onGranted = onGranted
  }

  get free(): number {
    return this.#free
  }

  get hasSpent(): boolean {
    return this.#spent > 0
  }

  get isWaiting(): boolean {
    return this.#takeBack !== undefined
  }

  /** When the last wish was made, by `performance.now()`. */
  get waitsSince(): number {
    return this.#waitsSince
  }

  /** Asks for slots. Where nobody else waits, those are used again whose outcomes are recorded next. */
  ask(most: number): void {
    if (most === 0) {
      this.stop()
      return
    }
    if (!this.#slots.othersWait(this.#of)) {
      this.#free += this.#spent
      this.#spent = 0
    }
    const missing = most - this.#free
    if (missing <= 0 || this.#takeBack) return
    this.#waitsSince = performance.now()
    let left = missing
    const go = (count: number) => {
      left -= count
      if (left === 0) this.#takeBack = undefined
      this.#free += count
      this.#held += count
      this.#onGranted()
    }
    const takeBack = this.#slots.ask({ of: this.#of, most: missing, isMore: this.#held > 0, go })
    if (left > 0) this.#takeBack = takeBack
  }

  /** Uses slots for mails. @param offered how many were looked at: those that no mail can use are given back, and no more are wanted for now */
  use(count: number, offered: number = this.#free): void {
    if (offered > count) {
      this.#withdraw()
      this.#give(this.#free - count)
      this.#free = 0
    } else this.#free -= count
  }

  /** Notes that a mail has its outcome. */
  spend(): void {
    this.#spent++
  }

  /** Takes the spent slots whose outcomes are about to be recorded. @returns frees them, once they are: for the others where any wait */
  recording(): () => void {
    const count = this.#spent
    this.#spent = 0
    return () => {
      if (this.#slots.othersWait(this.#of)) this.#give(count)
      else this.#free += count
    }
  }

  /** Gives slots back of mails that were not taken. */
  giveBack(count: number): void {
    this.#give(count)
  }

  /** Wants none any more. */
  stop(): void {
    this.#withdraw()
    this.#give(this.#free)
    this.#free = 0
  }

  /** Gives all back. */
  end(): void {
    this.stop()
    this.#give(this.#held)
  }

  #withdraw(): void {
    this.#takeBack?.()
    this.#takeBack = undefined
  }

  #give(count: number): void {
    this.#held -= count
    this.#slots.give(count)
  }
}
