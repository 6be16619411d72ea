/** Number that is not negative, as numerator and denominator. */
export interface Fraction {
  readonly numerator: bigint
  readonly denominator: bigint
}

/** Fraction for a decimal percentage such as `12.5`. @throws {RangeError} for anything but a decimal of at least 0 */
export const percentage = (percent: string): Fraction => {
  const match = /^(\d{1,15})(?:\.(\d{1,15}))?$/.exec(percent)
  if (!match) throw new RangeError(`${percent} is no percentage`)
  const [, whole = '', decimals = ''] = match
  return { numerator: BigInt(whole + decimals), denominator: 100n * 10n ** BigInt(decimals.length) }
}

/** Fraction of an amount; half a unit rounds up. */
export const partOf = (amount: bigint, { numerator: of, denominator: by }: Fraction): bigint =>
  (2n * amount * of + by) / (2n * by)
