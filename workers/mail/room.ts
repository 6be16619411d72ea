/** Mails under way at once to a domain of which nothing is known, or that is slow. */
const FEWEST = 5
const MOST = 64
/** Time of a mail beyond which its domain counts as slow, in milliseconds. */
const SLOW_MS = 5000

interface Place {
  underWay: number
  limit: number
}

/** Most domains of which it is remembered that they are quick. */
const REMEMBERED = 10_000

/** Mails that are under way to each receiving domain: few at first, more while it is quick. A slow one does not take the places of the others. */
export class Room {
  readonly #places = new Map<string, Place>()

  /** Takes a place, if there is one. */
  take(domain: string): boolean {
    const place = this.#places.get(domain) ?? { underWay: 0, limit: FEWEST }
    if (place.underWay >= place.limit) return false
    place.underWay++
    this.#places.set(domain, place)
    return true
  }

  /** Gives a place back. @param tookMs how long the mail took; `undefined`: none was handed over */
  free(domain: string, tookMs?: number): void {
    const place = this.#places.get(domain)
    if (!place) return
    place.underWay--
    if (tookMs !== undefined) place.limit = tookMs > SLOW_MS ? FEWEST : Math.min(MOST, place.limit + 1)
    if (place.underWay === 0 && (place.limit === FEWEST || this.#places.size > REMEMBERED)) this.#places.delete(domain)
  }
}
