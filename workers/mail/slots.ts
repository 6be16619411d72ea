import { getOrInsert } from '../../domain/kernel/values/get-or-insert.ts'

interface Wish {
  /** Whom it is for. Wishes for the same one come one after another. */
  readonly of: string
  /** Most slots that it is still for. */
  most: number
  /** Whether it is for more than the asker has, who comes before others that wish for the same one. */
  readonly isMore: boolean
  readonly go: (count: number) => void
}

/**
 * Slots of the mails that are under way at once over one transport: from the record of the intent to that of the outcome. A kill leaves at most so many in
 * doubt. Those that wait share what is free, in the order in which they came.
 */
export class Slots {
  #free: number
  readonly #waiting = new Map<string, Wish[]>()

  constructor(count: number) {
    this.#free = count
  }

  /** Whether anybody else waits. */
  othersWait(of: string): boolean {
    return this.#waiting.size > (this.#waiting.has(of) ? 1 : 0)
  }

  /** Asks for slots. `go` gets some of them, and more whenever any are free, until it has all. @returns takes back what is left of the wish */
  ask(wish: Wish): () => void {
    const wishes = getOrInsert(this.#waiting, wish.of, () => [])
    if (wish.isMore) wishes.unshift(wish)
    else wishes.push(wish)
    this.#share()
    return () =>
      this.#keep(
        wish.of,
        (this.#waiting.get(wish.of) ?? []).filter((one) => one !== wish),
      )
  }

  /** Gives slots back. */
  give(count: number): void {
    this.#free += count
    this.#share()
  }

  #share(): void {
    while (this.#free > 0 && this.#waiting.size > 0) {
      let left = this.#waiting.size
      for (const [of, [wish, ...rest]] of [...this.#waiting]) {
        const share = Math.ceil(this.#free / left--)
        if (share === 0 || !wish) return
        const count = Math.min(wish.most, share)
        this.#free -= count
        wish.most -= count
        this.#waiting.delete(of)
        // Who has some is the first to get more, so that those of one broadcast do not split what it has.
        this.#keep(of, wish.most > 0 ? [wish, ...rest] : rest)
        wish.go(count)
      }
    }
  }

  #keep(of: string, wishes: Wish[]): void {
    if (wishes.length > 0) this.#waiting.set(of, wishes)
    else this.#waiting.delete(of)
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
