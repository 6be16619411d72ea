interface Wish {
  /** Whom it is for: wishes for the same one take turns. */
  readonly of: string
  readonly most: number
  readonly go: (count: number) => void
}

/**
 * Slots of the mails that are under way at once over one transport: from the record of the intent to that of the outcome. A kill leaves at most so many in
 * doubt. Those that wait share what is free, in the order in which they came.
 */
export class Slots {
  #free: number
  readonly #waiting: Wish[] = []

  constructor(count: number) {
    this.#free = count
  }

  /** Whether anybody else waits. */
  othersWait(of: string): boolean {
    return this.#waiting.some((wish) => wish.of !== of)
  }

  /** Asks for slots. `go` gets some of them, once. @returns takes the wish back */
  ask(wish: Wish): () => void {
    this.#waiting.push(wish)
    this.#share()
    return () => this.#remove(wish)
  }

  /** Gives slots back. */
  give(count: number): void {
    this.#free += count
    this.#share()
  }

  #share(): void {
    while (this.#free > 0 && this.#waiting.length > 0) {
      const firsts = new Map<string, Wish>()
      for (const wish of this.#waiting) if (!firsts.has(wish.of)) firsts.set(wish.of, wish)
      let left = firsts.size
      for (const wish of firsts.values()) {
        const count = Math.min(wish.most, Math.ceil(this.#free / left--))
        if (count === 0) return
        this.#free -= count
        this.#remove(wish)
        wish.go(count)
      }
    }
  }

  #remove(wish: Wish): void {
    const at = this.#waiting.indexOf(wish)
    if (at >= 0) this.#waiting.splice(at, 1)
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
