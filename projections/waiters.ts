interface Waiter {
  readonly position: number
  readonly settle: (reached: boolean) => void
}

/** Callers that wait until a position is reached. */
export class Waiters {
  readonly #waiting = new Set<Waiter>()

  /** Number of callers that wait. */
  get size(): number {
    return this.#waiting.size
  }

  /** Resolves to true once the position is reached, to false after the timeout. */
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

  /** Resolves those that wait for this position or an earlier one to true. */
  reach(position: number): void {
    for (const { position: target, settle } of this.#waiting) if (target <= position) settle(true)
  }

  /** Resolves all to false. */
  giveUp(): void {
    for (const { settle } of this.#waiting) settle(false)
  }
}
