/** What something is shared out over. */
export interface Share {
  /** Each once: of two with the same remainder and weight the first key gets the unit that is left. */
  readonly key: string
  readonly weight: bigint
}

/** Keys in an order that does not depend on the language of a machine. */
export const byKey = (a: { readonly key: string }, b: { readonly key: string }): number =>
  a.key < b.key ? -1 : a.key > b.key ? 1 : 0

/** The larger first. */
export const byAmount = (a: bigint, b: bigint): number => (a > b ? -1 : a < b ? 1 : 0)

/**
 * An amount in whole units by weight, by largest remainder: the parts add up to it, none is further than a unit from its due, and
 * where the amount is not more than all weights together, no part is more than its weight. Does not depend on the order of the shares.
 *
 * @throws {RangeError} for a negative amount or weight, and for an amount when there is no weight
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
