interface Open {
  /** How much of it is not done. */
  left: number
  /** Position of the event before it: where there are gaps, only those of events are positions of a log. */
  readonly before: number
}

/** How far a reactor has got, while it is at many positions at once. */
export class LowWatermark {
  /** In ascending order, since events are taken up in order. */
  readonly #open = new Map<number, Open>()
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

  /** Positions at which something is not done. */
  get size(): number {
    return this.#open.size
  }

  /** Everything up to here has been taken up: to be said of each event, since what begins next begins behind it. */
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
