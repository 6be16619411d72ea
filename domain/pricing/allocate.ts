/** One of the parts over which an amount is shared out. */
export interface Share {
  /** Unique. Between two with the same remainder and weight, the first key gets the unit that is left. */
  readonly key: string
  readonly weight: bigint
}

/** Compares keys independently of the machine's locale. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0

/** Compares amounts, the larger first. */
export const byAmount = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/**
 * Shares out an amount in whole units by weight, by largest remainder. The parts add up to the amount, and none is a
 * unit or more away from its exact share. Where the amount is not above the sum of the weights, no part is above its
 * weight. The order of the shares does not matter.
 *
 * @throws {RangeError} for a negative amount or weight, and for an amount without any weight
 */
export const allocate = (amount: bigint, shares: readonly Share[]): ReadonlyMap<string, bigint> => {
  const whole = shares.reduce((sum, { weight }) => sum + weight, 0n)
  if (amount < 0n || shares.some(({ weight }) => weight < 0n)) throw new RangeError('nothing negative is shared out')
  if (whole === 0n) {
    if (amount > 0n) throw new RangeError('there is nothing to share it out over')
    return new Map(shares.map(({ key }) => [key, 0n]))
  }
  const parts = shares.map((share) => ({
    ...share,
    part: (amount * share.weight) / whole,
    remainder: (amount * share.weight) % whole,
  }))
  const left = amount - parts.reduce((sum, { part }) => sum + part, 0n)
  const first = [...parts].sort(
    (a, b) => byAmount(a.remainder, b.remainder) || byAmount(a.weight, b.weight) || byKey(a, b),
  )
  const more = new Set(first.slice(0, Number(left)).map(({ key }) => key))
  return new Map(parts.map(({ key, part }) => [key, more.has(key) ? part + 1n : part]))
}
