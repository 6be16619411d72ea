const BEGIN = 4
const MOST = 64

/**
 * How many attempts at one endpoint may be under way at once: few at first, one more for every success, half as many after a
 * failure. So an endpoint that never answers holds a handful of connections, and a quick one gets all that it can take.
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
