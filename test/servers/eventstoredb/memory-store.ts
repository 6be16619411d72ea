/** A proposed event in the form of the protocol. */
export interface Proposed {
  readonly id: string
  readonly type: string
  readonly contentType: string
  readonly data: Uint8Array
  readonly metadata: Uint8Array
}

export interface Stored extends Proposed {
  readonly stream: string
  readonly revision: number
  readonly position: number
  /** Milliseconds since 1970. */
  readonly created: number
}

export type Expected = number | 'any' | 'none' | 'exists'

export type Written =
  | { readonly ok: true; readonly revision: number; readonly position: number }
  | { readonly ok: false; readonly actual: number }

const encoder = new TextEncoder()

/** The events of a test server. They survive its restarts. All servers of a cluster share one store. */
export class MemoryStore {
  readonly events: Stored[] = []
  readonly #streams = new Map<string, Stored[]>()
  /** First visible revision of deleted streams. */
  readonly #shownFrom = new Map<string, number>()
  readonly #listeners = new Set<() => void>()
  readonly #now: () => number

  /** @param now milliseconds since 1970, for the timestamps of events */
  constructor(now: () => number = Date.now) {
    this.#now = now
    this.system('$$$stats-127.0.0.1:2113', '$metadata', { $maxAge: 86_400 })
    this.system('$stats-127.0.0.1:2113', '$statsCollected', { 'proc-mem': 1 })
  }

  /** The visible events of a stream; `undefined` if it does not exist. */
  stream(name: string): readonly Stored[] | undefined {
    const events = this.#streams.get(name)
    const shown = events?.slice(this.#shownFrom.get(name) ?? 0)
    return shown?.length ? shown : undefined
  }

  /** Index of the first event at or after a position. */
  indexAt(position: number): number {
    let [low, high] = [0, this.events.length]
    while (low < high) {
      const middle = (low + high) >> 1
      if (this.events[middle]!.position < position) low = middle + 1
      else high = middle
    }
    return low
  }

  /**
   * Appends or refuses as the real server does. It treats an append as done when its ids are already at the expected place.
   */
  append(stream: string, expected: Expected, proposed: readonly Proposed[]): Written {
    const events = this.#streams.get(stream) ?? []
    const actual = events.length - 1
    const deleted = actual >= 0 && !this.stream(stream)
    if (expected === 'exists' && (actual < 0 || deleted)) return { ok: false, actual }
    const from = typeof expected === 'number' ? expected + 1 : expected === 'none' ? 0 : this.#indexOf(events, proposed)
    const earlier = from >= 0 ? events.slice(from, from + proposed.length) : []
    if (
      proposed.length > 0 &&
      earlier.length === proposed.length &&
      earlier.every(({ id }, n) => id === proposed[n]?.id)
    ) {
      const last = earlier.at(-1)!
      return { ok: true, revision: last.revision, position: last.position }
    }
    const fits = typeof expected === 'number' ? expected === actual : expected !== 'none' || actual < 0 || deleted
    if (!fits) return { ok: false, actual }
    const stored = proposed.map((each, n) => this.#store(stream, actual + 1 + n, each))
    for (const listener of [...this.#listeners]) listener()
    const last = stored.at(-1) ?? events.at(-1)
    return { ok: true, revision: last?.revision ?? -1, position: last?.position ?? 0 }
  }

  /** Hides all events of a stream. Later revisions continue the count. */
  delete(stream: string, expected: Expected): Written {
    const events = this.stream(stream)
    const actual = events?.at(-1)?.revision ?? -1
    const fits = expected === 'any' || (expected === 'none' ? actual < 0 : expected === actual)
    if (!fits) return { ok: false, actual }
    this.#shownFrom.set(stream, actual + 1)
    return this.system(`$$${stream}`, '$metadata', { $tb: actual + 1 })
  }

  /** Writes an event as the server itself would. */
  system(stream: string, type: string, data: object): Written {
    const id = crypto.randomUUID()
    const json = {
      contentType: 'application/json',
      data: encoder.encode(JSON.stringify(data)),
      metadata: new Uint8Array(),
    }
    return this.append(stream, 'any', [{ id, type, ...json }])
  }

  /** Calls back at every append until the returned function is called. */
  onAppend(listener: () => void): () => void {
    this.#listeners.add(listener)
    return () => this.#listeners.delete(listener)
  }

  #indexOf(events: readonly Stored[], proposed: readonly Proposed[]): number {
    return events.findIndex(({ id }) => id === proposed[0]?.id)
  }

  #store(stream: string, revision: number, proposed: Proposed): Stored {
    const last = this.events.at(-1)
    // Positions are offsets in the transaction file: they leave gaps as wide as the records.
    const position = last ? last.position + 120 + last.data.length + last.metadata.length : 0
    const stored = { ...proposed, stream, revision, position, created: this.#now() }
    this.events.push(stored)
    const events = this.#streams.get(stream)
    if (events) events.push(stored)
    else this.#streams.set(stream, [stored])
    return stored
  }
}
