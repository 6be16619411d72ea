import type { RangeOptions } from 'lmdb'
import type { KeyRange } from './ranges.ts'

/** A database whose keys are read as bytes. */
export interface Keys {
  getKeys(options: RangeOptions): Iterable<unknown>
  getKeysCount(options: RangeOptions): number
}

/** An entry met by a scan, and the range it lies in. */
export interface Met {
  readonly key: Buffer
  readonly range: KeyRange
}

/** The keys of all ranges in one order; entries of one document in several ranges come once. */
export function* scan(keys: Keys, ranges: readonly KeyRange[], descending: boolean): Generator<Met> {
  const cursors: Cursor[] = []
  try {
    for (const range of ranges) {
      const cursor = new Cursor(keys, range, descending)
      if (cursor.advance()) insert(cursors, cursor, descending)
    }
    let last: Met | undefined
    while (cursors.length > 0) {
      const cursor = cursors[0]!
      const met = { key: cursor.key, range: cursor.range }
      if (!last || order(last, met) !== 0) yield met
      last = met
      if (cursors.length > 1) {
        cursors.shift()
        if (cursor.advance()) insert(cursors, cursor, descending)
      } else if (!cursor.advance()) cursors.pop()
    }
  } finally {
    for (const cursor of cursors) cursor.close()
  }
}

class Cursor {
  key: Buffer = Buffer.of()
  readonly range: KeyRange
  readonly #iterator: Iterator<unknown>

  constructor(keys: Keys, range: KeyRange, descending: boolean) {
    this.range = range
    const { start, end } = range
    const options = descending
      ? { start: end, exclusiveStart: true, end: start, inclusiveEnd: true, reverse: true }
      : { start, end }
    this.#iterator = keys.getKeys(options)[Symbol.iterator]()
  }

  advance(): boolean {
    const { done, value } = this.#iterator.next()
    if (!done) this.key = value as Buffer
    return !done
  }

  close(): void {
    this.#iterator.return?.()
  }
}

function insert(cursors: Cursor[], cursor: Cursor, descending: boolean): void {
  let from = 0
  let to = cursors.length
  while (from < to) {
    const middle = (from + to) >> 1
    const compared = order(cursors[middle]!, cursor)
    if (descending ? compared >= 0 : compared <= 0) from = middle + 1
    else to = middle
  }
  cursors.splice(from, 0, cursor)
}

function order(a: Met, b: Met): number {
  return a.key.compare(b.key, b.range.orderAt, b.key.length, a.range.orderAt, a.key.length)
}

/** How many entries the ranges hold, counting no further than `atMost` where given. */
export function countKeys(keys: Keys, ranges: readonly KeyRange[], atMost: number): number {
  let total = 0
  for (const { start, end } of ranges) {
    if (total >= atMost) return atMost
    if (reaches(keys, { start, end }, atMost - total)) return atMost
    total += keys.getKeysCount({ start, end })
  }
  return total
}

function reaches(keys: Keys, range: { readonly start: Buffer; readonly end: Buffer }, count: number): boolean {
  if (!Number.isFinite(count)) return false
  for (const _ of keys.getKeys({ ...range, offset: count - 1, limit: 1 })) return true
  return false
}
