/** How long and with how much data is measured. */
export interface Effort {
  readonly rounds: number
  /** Seconds of load on one side in one round. */
  readonly seconds: number
  /** Number of contacts, and of events, in the large data sets. */
  readonly million: number
}

export const FULL: Effort = { rounds: 7, seconds: 4, million: 1_000_000 }
export const QUICK: Effort = { rounds: 3, seconds: 1.5, million: 100_000 }

/**
 * Measures all sides in turn in every round, so that other load on the machine affects all of them alike. Every other round has the
 * opposite order. A first round warms up and does not count.
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

/** Runs all steps of one round, every other round in the opposite order. Returns the results in the order of the steps. */
export const inTurn = async <T>(
  round: number,
  steps: readonly (() => Promise<readonly T[]>)[],
): Promise<readonly T[]> => {
  const found: (readonly T[])[] = []
  const order = [...steps.entries()]
  for (const [at, step] of round % 2 === 0 ? order.reverse() : order) found[at] = await step()
  return found.flat()
}

/** Rounds up to an even number, so that each of two sides comes first equally often. */
export const evenly = (rounds: number): number => rounds + (rounds % 2)

/** Ratios of each round. Unlike a ratio of medians, they are not distorted by drift that affects both sides. */
export const ratios = (ours: readonly number[], theirs: readonly number[]): number[] =>
  ours.map((value, round) => value / theirs[round]!)
