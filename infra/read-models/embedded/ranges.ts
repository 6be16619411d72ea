import type { Scalar, Stretch } from './conditions.ts'
import { BEHIND, fitsKey, KeyBuffer, TAG } from './key-buffer.ts'
import { endOfValue, readId } from './key-reading.ts'
import type { Plan } from './plan.ts'

/** A stretch of keys, from `start` to before `end`. */
export interface KeyRange {
  readonly start: Buffer
  readonly end: Buffer
  /** Where in a key the part begins that orders the entries. */
  readonly orderAt: number
}

/** Less than whatever may follow a complete value inside a key, and than every id. */
const BEFORE = 0x01
const NONE = new Uint8Array(0)
const key = KeyBuffer.allocate()

/** The ranges of keys that a plan reads; only what comes behind `after` (the order part of a key) where given. */
export function rangesOf(plan: Plan, descending: boolean, after: Buffer | undefined): KeyRange[] {
  return plan.points.flatMap((values) => {
    const range = rangeOf(plan, values)
    if (!after) return [range]
    const mark = Buffer.concat([range.start.subarray(0, range.orderAt), after])
    const rest = descending
      ? { ...range, end: least(range.end, mark) }
      : { ...range, start: most(range.start, behind(mark)) }
    return Buffer.compare(rest.start, rest.end) < 0 ? [rest] : []
  })
}

/** The document id inside a key of a range. */
export function idIn(entry: Buffer, range: KeyRange, plan: Plan): number | string {
  return readId(entry, plan.sorted ? endOfValue(entry, range.orderAt) : range.orderAt)
}

function rangeOf({ index, sorted, stretch }: Plan, values: readonly Scalar[]): KeyRange {
  key.begin(index?.prefix ?? NONE)
  let orderAt = key.used
  for (const [i, value] of values.entries()) {
    key.value(value)
    if (!sorted || i < index!.fields.length) orderAt = key.used
  }
  const mark = key.used
  low(stretch)
  const start = key.copy()
  key.used = mark
  high(stretch)
  return { start, end: key.copy(), orderAt }
}

function low(stretch: Stretch | undefined): void {
  if (stretch?.low) {
    key.value(stretch.low.value)
    if (!stretch.low.inclusive && fitsKey(stretch.low.value)) key.byte(BEHIND)
  } else key.byte(stretch?.high ? firstTag(stretch.high.value) : BEFORE)
}

function high(stretch: Stretch | undefined): void {
  if (stretch?.high) {
    key.value(stretch.high.value)
    if (stretch.high.inclusive || !fitsKey(stretch.high.value)) key.byte(BEHIND)
  } else key.byte(stretch?.low ? lastTag(stretch.low.value) + 1 : BEHIND)
}

function firstTag(value: Scalar): number {
  if (typeof value === 'boolean') return TAG.false
  return typeof value === 'number' ? TAG.number : TAG.string
}

function lastTag(value: Scalar): number {
  return typeof value === 'boolean' ? TAG.true : firstTag(value)
}

function behind(mark: Buffer): Buffer {
  return Buffer.concat([mark, Buffer.of(0)])
}

function least(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) <= 0 ? a : b
}

function most(a: Buffer, b: Buffer): Buffer {
  return Buffer.compare(a, b) >= 0 ? a : b
}
