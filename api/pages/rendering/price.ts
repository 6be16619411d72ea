/** Fields of a price that its text is made of. */
interface Priced {
  readonly amount: string | null
  readonly currency: string | null
  readonly payment_type: string | null
  readonly interval: string | null
  readonly interval_count: number | null
}

const money = (amount: string, currency: string): string => {
  const code = currency.toUpperCase()
  try {
    // A text keeps every digit of the amount.
    return new Intl.NumberFormat('en', { style: 'currency', currency: code }).format(
      amount as Intl.StringNumericLiteral,
    )
  } catch {
    return `${amount} ${code}`
  }
}

/** Returns a price as people read it: `$12.50`, or `$20.00 every 2 months`. */
export const priceText = ({ amount, currency, payment_type, interval, interval_count }: Priced): string => {
  const text = money(amount ?? '0', currency ?? '')
  if (payment_type === 'one_time' || payment_type === null || !interval) return text
  const count = interval_count ?? 1
  return count === 1 ? `${text} every ${interval.replace(/s$/, '')}` : `${text} every ${count} ${interval}`
}
