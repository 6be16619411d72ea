import type { WeighedEntries } from './placements.ts'

type Pair = readonly [number, number]

/** Fewest entries that are judged. */
const FEWEST = 100
/** Fewest that must be expected of each variant: of fewer the test would say too often that they do not fit. */
const FEWEST_EXPECTED = 5
/** What a normal distribution exceeds with p = 0.001. */
const Z = 3.0902

const sum = ([first, second]: Pair): number => first + second

/** What a χ² of 1, 2, … degrees of freedom exceeds with p = 0.001. */
const CRITICAL = [10.828, 13.816, 16.266, 18.467, 20.515]

/** Returns the value that a χ² of so many degrees of freedom exceeds with p = 0.001; of many by the approximation of Wilson and Hilferty. */
const critical = (degrees: number): number => {
  const known = CRITICAL[degrees - 1]
  if (known !== undefined) return known
  const ninth = 2 / (9 * degrees)
  return degrees * (1 - ninth + Z * Math.sqrt(ninth)) ** 3
}

const expectedOf = (total: number, [first, second]: Pair): Pair => [
  (total * first) / (first + second),
  (total * second) / (first + second),
]

const isEnough = ([first, second]: Pair): boolean => first >= FEWEST_EXPECTED && second >= FEWEST_EXPECTED

const chiSquare = (counts: Pair, expected: Pair): number =>
  (counts[0] - expected[0]) ** 2 / expected[0] + (counts[1] - expected[1]) ** 2 / expected[1]

/** Returns whether the entries of a split fit the weights by which they were drawn, each period of weights by its own; `null` for too few. */
export const entriesFit = (entries: readonly WeighedEntries[]): boolean | null => {
  let [statistic, degrees, judged] = [0, 0, 0]
  for (const { weights, counts } of entries) {
    const expected = weights && expectedOf(sum(counts), weights)
    if (!expected || !isEnough(expected)) continue
    statistic += chiSquare(counts, expected)
    degrees++
    judged += sum(counts)
  }
  return judged < FEWEST ? null : statistic <= critical(degrees)
}

/**
 * Returns whether the arrivals of a split test divide as its entries do; `null` for too few. They are not judged where weights changed: visitors whose
 * place is from before go on arriving by the former division.
 */
export const arrivalsFit = (entries: readonly WeighedEntries[], arrivals: Pair): boolean | null => {
  const [only, ...others] = entries
  if (!only?.weights || others.length > 0 || sum(only.counts) < FEWEST) return null
  const expected = expectedOf(sum(arrivals), only.counts)
  return isEnough(expected) ? chiSquare(arrivals, expected) <= critical(1) : null
}
