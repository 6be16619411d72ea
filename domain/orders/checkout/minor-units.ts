import { fromMinor, minorOf, scaleOf, UNUSUAL } from '../../kernel/values/money.ts'

/** Currencies that pages count in whole units (rules of the SDK, 4). ISO 4217 counts some others so. */
const WHOLE_ON_PAGES: ReadonlySet<string> = new Set(
  'BIF CLP DJF GNF JPY KMF KRW MGA PYG RWF VND VUV XAF XOF XPF'.split(' '),
)

const scaleOnPages = (currency: string): number => (WHOLE_ON_PAGES.has(currency) ? 0 : Math.max(2, scaleOf(currency)))

const digitsOf = (code: string): string => `${scaleOnPages(code)}${scaleOf(code)}`

/**
 * Currencies, one after another, by two digits: the power of ten of the units in which pages count them, and the decimal places that are written.
 * Of all others they are `22`.
 */
export const DIGITS_ON_PAGES: Readonly<Record<string, string>> = [...new Set([...UNUSUAL, ...WHOLE_ON_PAGES])]
  .sort()
  .reduce<Record<string, string>>((all, code) => {
    const digits = digitsOf(code)
    return Object.assign(all, { [digits]: all[digits] ? `${all[digits]} ${code}` : code })
  }, {})

/** Converts an amount in the scale of its currency to the minor units in which pages count, half a unit up. */
export const unitsOnPages = (amount: string, currency: string): number => {
  const minor = minorOf(amount, currency)
  const difference = scaleOnPages(currency) - scaleOf(currency)
  if (difference >= 0) return Number(minor * 10n ** BigInt(difference))
  return Math.round(Number(fromMinor(minor, currency)) * 10 ** scaleOnPages(currency))
}
