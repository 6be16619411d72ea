import { scaleOf, toUnits } from '../kernel/values/money.ts'

/** Currencies that Stripe counts in whole units. */
const ZERO_DECIMAL = new Set('BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '))

/** Decimals of the finest amount that Stripe charges in a currency. Where there are thousandths, the last digit must be 0. */
export const stripeDecimals = (currency: string): number => (ZERO_DECIMAL.has(currency) ? 0 : 2)

/** Returns the number of decimals that an amount may have so that a payment processor charges it; `undefined`: those of the currency. */
export const mostDecimals = (processor: string | null, currency: string): number | undefined =>
  processor === 'stripe' && stripeDecimals(currency) < scaleOf(currency) ? stripeDecimals(currency) : undefined

/** Whether an amount has at most so many decimals, zeros at its end aside. */
export const hasAtMost = (amount: string, decimals: number): boolean =>
  decimals === Number.POSITIVE_INFINITY || toUnits(amount, decimals) !== undefined
