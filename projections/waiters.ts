interface Waiter {
  readonly position: number
  readonly settle: (reached: boolean) => void
}

/** Those who wait until a position is reached. */
export class Waiters {
  readonly #waiting = new Set<Waiter>()

  /** How many wait. */
  get size(): number {
    return this.#waiting.size
  }

  /** Resolves to true once the position is reached, to false when that took too long. */
  wait(position: number, timeoutMs: number): Promise<boolean> {
    return new Promise((resolve) => {
      const timer = setTimeout(() => settle(false), timeoutMs)
      const settle = (reached: boolean) => {
        clearTimeout(timer)
        this.#waiting.delete(waiter)
        resolve(reached)
      }
      const waiter: Waiter = { position, settle }
      this.#waiting.add(waiter)
    })
  }

  /** Everything up to this position is there. */
  reach(position: number): void {
    for (const { position: wanted, settle } of this.#waiting) if (wanted <= position) settle(true)
  }

  /** Tells all that it took too long. */
  giveUp(): void {
    for (const { settle } of this.#waiting) settle(false)
  }
}
