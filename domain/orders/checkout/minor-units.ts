import { fromMinor, minorOf, scaleOf } from '../../kernel/values/money.ts'

/** Currencies that pages count in whole units (rules of the SDK, 4). ISO 4217 counts some others so. */
const WHOLE_ON_PAGES: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)

const scaleOnPages = (currency: string): number => (WHOLE_ON_PAGES.has(currency) ? 0 : Math.max(2, scaleOf(currency)))

/** Converts an amount in the scale of its currency to the minor units in which pages count, half a unit up. */
export const unitsOnPages = (amount: string, currency: string): number => {
  const minor = minorOf(amount, currency)
  const difference = scaleOnPages(currency) - scaleOf(currency)
  if (difference >= 0) return Number(minor * 10n ** BigInt(difference))
  return Math.round(Number(fromMinor(minor, currency)) * 10 ** scaleOnPages(currency))
}
