/** Translates positions of an archive into positions of the target log. */
export class PositionMap {
  readonly #wanted = new Set<number>()
  #sorted: readonly number[] | undefined
  /** For each wanted position, the greatest target position of the events between it and the wanted position before it. */
  readonly #reached = new Map<number, number>()

  /** Requests the target position of a position; called before the first event has passed. */
  want(position: number): void {
    this.#wanted.add(position)
  }

  /** Whether the exact target position of the event at a position is needed. */
  wants(position: number): boolean {
    return this.#wanted.has(position)
  }

  /** Notes that an event of the archive is in the log at the position `here`. Events may pass in any order. */
  passed(position: number, here: number): void {
    const wanted = this.#firstFrom(this.#inOrder(), position)
    if (wanted !== undefined) this.#reached.set(wanted, Math.max(here, this.#reached.get(wanted) ?? -1))
  }

  /** Returns for each wanted position that of the last event up to it; -1: there is none. Called after all events have passed. */
  all(): ReadonlyMap<number, number> {
    let last = -1
    return new Map(
      this.#inOrder().map((wanted) => {
        last = Math.max(last, this.#reached.get(wanted) ?? -1)
        return [wanted, last]
      }),
    )
  }

  #inOrder(): readonly number[] {
    this.#sorted ??= [...this.#wanted].sort((a, b) => a - b)
    return this.#sorted
  }

  /** Returns the first wanted position that is not before this position. */
  #firstFrom(sorted: readonly number[], position: number): number | undefined {
    let [low, high] = [0, sorted.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (sorted[middle]! < position) low = middle + 1
      else high = middle
    }
    return sorted[low]
  }
}
