/** A number that is not negative, as numerator and denominator. */
export interface Fraction {
  readonly of: bigint
  readonly by: bigint
}

/** A decimal such as `12.5` as so many hundredths of the whole. @throws {RangeError} for what is no decimal, or negative */
export const percentage = (percent: string): Fraction => {
  const match = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(percent)
  if (!match) throw new RangeError(`${percent} is no percentage`)
  const [, whole = '', decimals = ''] = match
  return { of: BigInt(whole + decimals), by: 100n * 10n ** BigInt(decimals.length) }
}

/** Half a unit is rounded up. */
export const partOf = (amount: bigint, { of, by }: Fraction): bigint => (2n * amount * of + by) / (2n * by)
