import { scaleOf } from '../../kernel/values/money.ts'
import type { Locale } from './kinds.ts'

/** Languages with the country whose customs of writing amounts and dates its readers have. */
const TAGS: Readonly<Record<Locale, string>> = { en: 'en-US', ja: 'ja-JP', pt: 'pt-BR' }

/** Returns an amount as it is written in a language, with the decimal places of its currency. */
export const moneyIn = (locale: Locale, amount: string, currency: string): string => {
  const places = scaleOf(currency)
  return new Intl.NumberFormat(TAGS[locale], {
    style: 'currency',
    currency,
    minimumFractionDigits: places,
    maximumFractionDigits: places,
  }).format(Number(amount))
}
