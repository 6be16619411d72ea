import type { FactReader } from '../kernel/decide/command.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import { fromMinor, minorOf } from '../kernel/values/money.ts'
import { invoice } from './invoice/model.ts'

/** Returns the tax of an order by its first invoice, by which it was sold; `null` where nobody said it, as on orders of others. */
export const taxIn = (first: Document | undefined): string | null => {
  if (!first || first.tax === null || first.tax === undefined) return null
  const currency = String(first.currency)
  return fromMinor(minorOf(String(first.tax), currency), currency)
}

const MOST_IDS = 500

/** Returns the taxes of orders, in their order. */
export const taxesOf = async (orders: readonly Document[], read: FactReader): Promise<(string | null)[]> => {
  const taxes = new Map<number, string | null>()
  for (let from = 0; from < orders.length; from += MOST_IDS) {
    const ids = orders.slice(from, from + MOST_IDS).map(({ id }) => Number(id))
    for (const bill of await read.find(invoice.name, { where: { order_id: { $in: ids } }, sort: { by: 'id' } }))
      if (!taxes.has(Number(bill.order_id))) taxes.set(Number(bill.order_id), taxIn(bill))
  }
  return orders.map(({ id }) => taxes.get(Number(id)) ?? null)
}
