import { fromUnits, normalizeAmount, toUnits } from '../../domain/kernel/values/money.ts'

/** Currencies that Stripe counts in whole units. */
const ZERO_DECIMAL = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** Currencies that Stripe counts in thousandths; the last digit must be 0. */
const THREE_DECIMAL = 'BHD JOD KWD OMR TND'.split(' ')

/** Converts an amount to Stripe's units; `undefined`: it is finer than Stripe accepts. */
export const stripeAmount = (amount: string, currency: string): number | undefined => {
  const isThree = THREE_DECIMAL.includes(currency)
  const units = toUnits(amount, ZERO_DECIMAL.includes(currency) ? 0 : 2)
  return units === undefined ? undefined : Number(isThree ? units * 10n : units)
}

/** Converts Stripe's units to a decimal amount, in the scale of the currency. */
export const stripeDecimal = (units: number, currency: string): string => {
  const scale = THREE_DECIMAL.includes(currency) ? 3 : ZERO_DECIMAL.includes(currency) ? 0 : 2
  const amount = fromUnits(BigInt(units), scale)
  return normalizeAmount(amount, currency) ?? amount
}
