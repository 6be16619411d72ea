import { moneyText } from '../../kernel/values/money-text.ts'
import type { Locale } from './kinds.ts'

/** Languages with the country whose customs of writing amounts and dates its readers have. */
const TAGS: Readonly<Record<Locale, string>> = { en: 'en-US', ja: 'ja-JP', pt: 'pt-BR' }

/** Returns an amount as readers of a language write it. */
export const moneyIn = (locale: Locale, amount: string, currency: string): string =>
  moneyText(amount, currency, TAGS[locale])
