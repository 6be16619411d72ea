/** State of a counter: the last number that was taken from it. */
export interface CounterAt {
  readonly counter: string
  readonly value: number
}

/** Named counters that count up from 1. They are stored with the log. */
export interface Counters {
  /** Whether other processes count as well, so that taking numbers costs a write. Numbers are then taken in blocks. */
  readonly leased: boolean
  /** Takes the next numbers of a counter for good: no other caller gets them. @returns the first of them */
  take(counter: string, count: number): Promise<number>
  /** Raises a counter to at least a value: with or before the next append, or at once where several processes count. */
  raise(counter: string, value: number): Promise<void>
  /** Returns all counters above 0, in no particular order. */
  all(): AsyncIterable<CounterAt>
}
