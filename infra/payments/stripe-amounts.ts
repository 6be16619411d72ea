import { fromUnits, normalizeAmount, toUnits } from '../../domain/kernel/values/money.ts'
import { stripeDecimals } from '../../domain/payments/public.ts'

/** Currencies that Stripe counts in thousandths; the last digit must be 0. */
const THREE_DECIMAL = 'BHD JOD KWD OMR TND'.split(' ')

/** Converts an amount to Stripe's units; `undefined`: it is finer than Stripe accepts. */
export const stripeAmount = (amount: string, currency: string): number | undefined => {
  const isThree = THREE_DECIMAL.includes(currency)
  const units = toUnits(amount, stripeDecimals(currency))
  return units === undefined ? undefined : Number(isThree ? units * 10n : units)
}

/** Converts Stripe's units to a decimal amount, in the scale of the currency. */
export const stripeDecimal = (units: number, currency: string): string => {
  const scale = THREE_DECIMAL.includes(currency) ? 3 : stripeDecimals(currency)
  const amount = fromUnits(BigInt(units), scale)
  return normalizeAmount(amount, currency) ?? amount
}
