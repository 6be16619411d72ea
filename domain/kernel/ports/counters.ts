/** Where a counter stands: the last number that it gave. */
export interface CounterAt {
  readonly counter: string
  readonly value: number
}

/** Numbers that count up from 1, by name; kept with the log (design 4, Ids). */
export interface Counters {
  /** Whether each move is a write of its own, and others may count as well: numbers are then taken in blocks. */
  readonly leased: boolean
  /** Takes the next numbers of a counter, for good: nobody else is given them. @returns the first of them */
  take(counter: string, count: number): Promise<number>
  /** Sees to it that a counter is not below a value: with or before whatever is appended next, and at once where several processes count. */
  raise(counter: string, value: number): Promise<void>
  /** Every counter that is above 0, in no particular order. */
  all(): AsyncIterable<CounterAt>
}
