import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import { type invoice, invoiceLineItem } from '../../orders/public.ts'
import { product, variant } from '../../store/public.ts'
import type { Locale } from './kinds.ts'
import { TABLES } from './layout.ts'
import { moneyIn } from './money.ts'

type Invoice = RecordOf<typeof invoice>
type Line = RecordOf<typeof invoiceLineItem>

/** Returns the name of what a line sold, as pages show it. */
const nameOf = async ({ variant_id, product_id }: Line, read: FactReader): Promise<string> => {
  const { one } = readerOver(read)
  return (await one(variant, variant_id))?.name ?? (await one(product, product_id))?.name ?? ''
}

/** Returns what an invoice is for, a row each: what was sold, and then what was added or taken off. */
export const boughtLines = async (
  { id, currency, shipping_amount, discount, tax }: Invoice,
  locale: Locale,
  read: FactReader,
): Promise<readonly JsonObject[]> => {
  const shown = (minor: bigint) => moneyIn(locale, fromMinor(minor, currency), currency)
  const minor = (amount: string | null) => minorOf(amount ?? '0', currency)
  const sold = await readerOver(read).find(invoiceLineItem, { where: { invoice_id: id } })
  const lines = sold.map(async (line) => ({
    name: await nameOf(line, read),
    quantity: line.quantity,
    amount: shown(minor(line.amount) * BigInt(line.quantity)),
  }))
  const words = TABLES[locale]
  const others = [
    { name: words.discount, amount: -minor(discount) },
    { name: words.shipping, amount: minor(shipping_amount) },
    { name: words.tax, amount: minor(tax) },
  ].filter(({ amount }) => amount !== 0n)
  return [
    ...(await Promise.all(lines)),
    ...others.map(({ name, amount }) => ({ name, quantity: null, amount: shown(amount) })),
  ]
}
