/** Bounds of what may be in use at once. */
export interface QuotaBounds {
  readonly total: number
  /** For each holder, so that none of them takes it all. */
  readonly each: number
}

/** Bound that an amount would exceed. */
export type Exceeded = 'total' | 'each'

/** Amounts in use, in total and by holder. Only holders of something take memory. */
export class Quota<K extends string | number> {
  readonly #bounds: QuotaBounds
  readonly #held = new Map<K, number>()
  #total = 0

  constructor(bounds: QuotaBounds) {
    this.#bounds = bounds
  }

  /** Takes an amount for a holder. Takes nothing when that would exceed a bound, and returns which one. */
  take(holder: K, amount = 1): Exceeded | undefined {
    const held = (this.#held.get(holder) ?? 0) + amount
    if (held > this.#bounds.each) return 'each'
    if (this.#total + amount > this.#bounds.total) return 'total'
    this.#held.set(holder, held)
    this.#total += amount
    return undefined
  }

  /** Gives back an amount that was taken. */
  give(holder: K, amount = 1): void {
    const held = (this.#held.get(holder) ?? 0) - amount
    if (held > 0) this.#held.set(holder, held)
    else this.#held.delete(holder)
    this.#total -= amount
  }
}
