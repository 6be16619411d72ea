interface Waiting {
  readonly most: number
  readonly go: (count: number) => void
}

/**
 * Slots of the mails that are under way at once over one transport: from the record of the intent to that of the outcome. A kill leaves at most so many in
 * doubt. Mailings that wait share what is free, in the order in which they came.
 */
export class Slots {
  #free: number
  readonly #waiting: Waiting[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** How many wait. */
  get waiting(): number {
    return this.#waiting.length
  }

  /** Asks for slots. `go` gets some of them, once. @returns takes the wish back */
  ask(most: number, go: (count: number) => void): () => void {
    const wish = { most, go }
    this.#waiting.push(wish)
    this.#share()
    return () => {
      const at = this.#waiting.indexOf(wish)
      if (at >= 0) this.#waiting.splice(at, 1)
    }
  }

  /** Gives slots back. */
  give(count: number): void {
    this.#free += count
    this.#share()
  }

  #share(): void {
    while (this.#free > 0) {
      const share = Math.ceil(this.#free / Math.max(1, this.#waiting.length))
      const first = this.#waiting.shift()
      if (!first) return
      const count = Math.min(first.most, share)
      this.#free -= count
      first.go(count)
    }
  }
}

/** Returns the slots of each transport. */
export const slotsOf = (): ((transport: { readonly atOnce: number }) => Slots) => {
  const all = new WeakMap<object, Slots>()
  return (transport) => {
    const slots = all.get(transport) ?? new Slots(transport.atOnce)
    all.set(transport, slots)
    return slots
  }
}
