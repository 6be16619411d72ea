import { scaleOf } from './money.ts'

/** Returns an amount as it is written in a language, with the decimal places of its currency. */
export const moneyText = (amount: string, currency: string, tag = 'en'): string => {
  const code = currency.toUpperCase()
  const places = scaleOf(code)
  const digits = { minimumFractionDigits: places, maximumFractionDigits: places }
  try {
    // A text keeps every digit of the amount.
    return new Intl.NumberFormat(tag, { style: 'currency', currency: code, ...digits }).format(
      amount as Intl.StringNumericLiteral,
    )
  } catch {
    return `${amount} ${code}`.trim()
  }
}
