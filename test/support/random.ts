/** Repeatable random numbers for tests: the same seed gives the same ones (mulberry32). */
export interface Random {
  readonly seed: number
  /** A whole number from 0, below `bound`. */
  below(bound: number): number
  pick<T>(items: readonly T[]): T
  /** The items in another order. */
  shuffled<T>(items: readonly T[]): readonly T[]
}

/** The seed of this run: from the environment, or a new one. It is printed so that a failure can be repeated. */
export const seedOfRun = (): number => {
  const seed = process.env.TEST_SEED ? Number(process.env.TEST_SEED) : Math.trunc(Math.random() * 2 ** 31)
  console.log(`      seed ${seed} (TEST_SEED=${seed} repeats it)`)
  return seed
}

export const random = (seed: number): Random => {
  let state = seed | 0
  const next = (): number => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
  const below = (bound: number) => Math.floor(next() * bound)
  const shuffled = <T>(items: readonly T[]): readonly T[] => {
    const left = [...items]
    return items.map(() => left.splice(below(left.length), 1)[0]!)
  }
  return { seed, below, pick: (items) => items[below(items.length)]!, shuffled }
}
