export const DAY = 24 * 60 * 60 * 1000

const BEGIN = Date.parse('2026-01-31T08:00:00.000Z')

/**
 * Time as the gateway knows it, and the clock of the machine, which may be wrong by months in either direction. The clock of
 * the workspace is the machine's, or its own, which goes on whatever the machine shows.
 */
export class Clocks {
  readonly #hasOwn: boolean
  #elapsed = 0
  #wrongBy = 0

  constructor(hasOwn: boolean) {
    this.#hasOwn = hasOwn
  }

  /** Time as the gateway knows it, in milliseconds since 1970. */
  get truth(): number {
    return BEGIN + this.#elapsed
  }

  get machine(): number {
    return this.truth + this.#wrongBy
  }

  get workspace(): number {
    return this.#hasOwn ? this.truth : this.machine
  }

  pass(ms: number): void {
    this.#elapsed += Math.max(0, ms)
  }

  /** Moves the machine's clock, while no time passes. */
  jump(ms: number): void {
    this.#wrongBy += ms
  }
}
