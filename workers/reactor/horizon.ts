/** How far a reactor has got, while it is at many positions at once. */
export class Horizon {
  /** In ascending order, since events are taken up in order; with how much of each is not done. */
  readonly #open = new Map<number, number>()
  #seen: number

  constructor(checkpoint: number) {
    this.#seen = checkpoint
  }

  /** Position up to which everything is done or written down. */
  get checkpoint(): number {
    const [first] = this.#open.keys()
    return first === undefined ? this.#seen : Math.min(this.#seen, first - 1)
  }

  /** Positions at which something is not done. */
  get size(): number {
    return this.#open.size
  }

  /** Everything up to here has been taken up. */
  see(position: number): void {
    this.#seen = Math.max(this.#seen, position)
  }

  begin(position: number): void {
    this.#open.set(position, (this.#open.get(position) ?? 0) + 1)
  }

  end(position: number): void {
    const left = (this.#open.get(position) ?? 1) - 1
    if (left === 0) this.#open.delete(position)
    else this.#open.set(position, left)
  }
}
