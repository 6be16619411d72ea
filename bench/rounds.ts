/** How much is measured. */
export interface Effort {
  readonly rounds: number
  /** Seconds of load on one side in one round. */
  readonly seconds: number
  /** Contacts, and events, of the large data sets. */
  readonly million: number
}

export const FULL: Effort = { rounds: 7, seconds: 4, million: 1_000_000 }
export const QUICK: Effort = { rounds: 3, seconds: 1.5, million: 100_000 }

/**
 * Measures all sides in every round, in turn, so that whatever else the machine does falls on all of them alike; every other
 * round in the opposite order. A first round warms up and does not count.
 *
 * @returns the values of each side, by round
 */
export const interleave = async <Side extends string, Value>(
  rounds: number,
  sides: Readonly<Record<Side, (round: number) => Promise<Value>>>,
  { warmUp = true }: { readonly warmUp?: boolean } = {},
): Promise<Record<Side, Value[]>> => {
  const names = Object.keys(sides) as Side[]
  const values = Object.fromEntries(names.map((name) => [name, [] as Value[]])) as Record<Side, Value[]>
  for (let round = warmUp ? 0 : 1; round <= rounds; round++) {
    for (const name of round % 2 === 0 ? [...names].reverse() : names) {
      const value = await sides[name](round)
      if (round > 0) values[name].push(value)
    }
  }
  return values
}

/** Does all steps of one round, in every other round in the opposite order; gives what they found, in the order of the steps. */
export const inTurn = async <T>(
  round: number,
  steps: readonly (() => Promise<readonly T[]>)[],
): Promise<readonly T[]> => {
  const found: (readonly T[])[] = []
  const order = [...steps.entries()]
  for (const [at, step] of round % 2 === 0 ? order.reverse() : order) found[at] = await step()
  return found.flat()
}

/** Even, so that each of two sides comes first equally often. */
export const evenly = (rounds: number): number => rounds + (rounds % 2)

/** Medians hide drift that hits both sides; the ratio of each round does not. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, round) => value / theirs[round]!)
