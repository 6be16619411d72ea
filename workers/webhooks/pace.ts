const BEGIN = 4
const MOST = 64

/**
 * Limit of concurrent attempts at one endpoint: low at first, one more after each success, half as many after a failure. An
 * endpoint that never answers therefore holds a handful of connections, and a quick one gets as many as it can handle.
 */
export class ConcurrencyLimit {
  #limit = BEGIN

  get limit(): number {
    return Math.floor(this.#limit)
  }

  succeeded(): void {
    this.#limit = Math.min(MOST, this.#limit + 1)
  }

  failed(): void {
    this.#limit = Math.max(1, this.#limit / 2)
  }
}
