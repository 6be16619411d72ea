interface OpenPosition {
  /** Number of its tasks that are not done. */
  left: number
  /** Position of the event before it. Positions may have gaps, and a checkpoint must be the position of an event. */
  readonly before: number
}

/** Tracks how far a reactor has got while it works at many positions at once. */
export class LowWatermark {
  /** In ascending order, because events are taken up in order. */
  readonly #open = new Map<number, OpenPosition>()
  #seen: number

  constructor(checkpoint: number) {
    this.#seen = checkpoint
  }

  /** Position up to which everything is done or written down. */
  get checkpoint(): number {
    const [first] = this.#open.values()
    return first ? Math.min(this.#seen, first.before) : this.#seen
  }

  /** Position up to which everything has been taken up. */
  get seen(): number {
    return this.#seen
  }

  /** Number of positions with tasks that are not done. */
  get size(): number {
    return this.#open.size
  }

  /** Notes that everything up to a position has been taken up. Must be called for each event: `begin` relies on it. */
  see(position: number): void {
    this.#seen = Math.max(this.#seen, position)
  }

  begin(position: number): void {
    const open = this.#open.get(position)
    if (open) open.left++
    else this.#open.set(position, { left: 1, before: this.#seen })
  }

  end(position: number): void {
    const open = this.#open.get(position)
    if (open && --open.left <= 0) this.#open.delete(position)
  }
}
