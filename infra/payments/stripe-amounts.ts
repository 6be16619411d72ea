import { fromUnits, normalizeAmount, toUnits } from '../../domain/kernel/values/money.ts'

/** Whose smallest unit is the whole, at Stripe. */
const ZERO_DECIMAL = 'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' ')
/** In thousandths; the last digit must be 0. */
const THREE_DECIMAL = 'BHD JOD KWD OMR TND'.split(' ')

/** An amount as Stripe counts it, or `undefined` when it is finer than Stripe takes it. */
export const stripeAmount = (amount: string, currency: string): number | undefined => {
  const isThree = THREE_DECIMAL.includes(currency)
  const units = toUnits(amount, ZERO_DECIMAL.includes(currency) ? 0 : 2)
  return units === undefined ? undefined : Number(isThree ? units * 10n : units)
}

/** The decimal amount of what Stripe counts, in the scale of the currency. */
export const stripeDecimal = (units: number, currency: string): string => {
  const scale = THREE_DECIMAL.includes(currency) ? 3 : ZERO_DECIMAL.includes(currency) ? 0 : 2
  const amount = fromUnits(BigInt(units), scale)
  return normalizeAmount(amount, currency) ?? amount
}
