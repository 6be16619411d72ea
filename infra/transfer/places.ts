/** Where positions of an archive are in the log that it goes into. */
export class Places {
  readonly #wanted = new Set<number>()
  #sorted: readonly number[] | undefined
  /** For each wanted one, the greatest position here of the events between it and the one before. */
  readonly #reached = new Map<number, number>()

  /** Before the first event has passed. */
  want(position: number): void {
    this.#wanted.add(position)
  }

  /** Whether it matters where the event at a position comes. */
  wants(position: number): boolean {
    return this.#wanted.has(position)
  }

  /** An event of the archive is in the log; they may pass in any order. */
  passed(position: number, here: number): void {
    const wanted = this.#in(this.#order(), position)
    if (wanted !== undefined) this.#reached.set(wanted, Math.max(here, this.#reached.get(wanted) ?? -1))
  }

  /** When all have passed: of each wanted position, that of the last event up to it; -1: there is none. */
  all(): ReadonlyMap<number, number> {
    let last = -1
    return new Map(
      this.#order().map((wanted) => {
        last = Math.max(last, this.#reached.get(wanted) ?? -1)
        return [wanted, last]
      }),
    )
  }

  #order(): readonly number[] {
    this.#sorted ??= [...this.#wanted].sort((a, b) => a - b)
    return this.#sorted
  }

  /** The first of the wanted ones that is not before a position. */
  #in(sorted: readonly number[], position: number): number | undefined {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]! < position) low = middle + 1
      else high = middle
    }
    return sorted[low]
  }
}
