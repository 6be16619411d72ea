import { emailFilter, isContactKept } from '../contacts/public.ts'
import { contactSelector } from '../filters/public.ts'
import type { Document } from '../kernel/ports/read-models.ts'
import type { Json } from '../kernel/values/event.ts'
import { fromMinor, minorOf } from '../kernel/values/money.ts'
import type { Selector } from '../resources/operation.ts'
import { byId, flagFilter, idFilter, textFilter } from '../resources/operations.ts'
import type { Counted, Summed } from '../resources/record-statistics/counted.ts'
import { recordStatistics } from '../resources/record-statistics/index.ts'
import { taxesOf } from './tax-of-order.ts'
import { transaction } from './transaction/model.ts'

const fieldOf =
  (name: string) =>
  (document: Document): Json =>
    document[name] ?? null

const valuesOf = (...names: readonly string[]): Counted['countBy'] =>
  Object.fromEntries(names.map((name) => [name, fieldOf(name)]))

/** Contacts that are not deleted, also anonymous ones. */
const contacts: Counted = {
  collection: 'contact',
  category: 'contacts',
  // Both values, because the index of the list begins with this field.
  where: { listed: { $in: [true, false] } },
  isRecord: isContactKept,
  filters: {
    id: byId,
    email_address: emailFilter,
    is_active: flagFilter('is_active'),
    tag_ids: idFilter('tag_ids', 'contacts/tag'),
  },
  select: contactSelector,
  countBy: {
    ...valuesOf('is_active', 'email_suppression_reason', 'time_zone'),
    anonymous: ({ identified }) => identified !== true,
  },
}

const MOST_IDS = 500

/** What was collected for each order: its charges that went through. What was given back is not taken off. */
const collected: Summed = async (orders, read) => {
  const sums = new Map<number, bigint>()
  for (let from = 0; from < orders.length; from += MOST_IDS) {
    const ids = orders.slice(from, from + MOST_IDS).map(({ id }) => Number(id))
    for (const { order_id, external_type, result, amount, currency } of await read.find(transaction.name, {
      where: { order_id: { $in: ids } },
    })) {
      if (external_type !== 'sale' || result !== 'approved') continue
      const id = Number(order_id)
      sums.set(id, (sums.get(id) ?? 0n) + minorOf(String(amount), String(currency)))
    }
  }
  return orders.map(({ id, currency }) => fromMinor(sums.get(Number(id)) ?? 0n, String(currency)))
}

const ordersOf = (select: Selector): Counted => ({
  collection: 'order',
  category: 'store',
  filters: {
    id: byId,
    contact_id: idFilter('contact_id', 'contact'),
    order_type: textFilter('order_type'),
    billing_status: textFilter('billing_status'),
    service_status: textFilter('service_status'),
    live_mode: flagFilter('live_mode'),
  },
  select,
  countBy: valuesOf('billing_status', 'service_status', 'order_type', 'live_mode'),
  sum: {
    total_amount: async (orders) => orders.map(({ total_amount }) => String(total_amount)),
    tax_amount: taxesOf,
    total_collected: collected,
  },
  currencyOf: ({ currency }) => String(currency),
})

/** Statistics of the contacts and orders of a workspace. @param select how lists of orders are narrowed by filters */
export const workspaceStats = (select: Selector) =>
  recordStatistics('/workspaces/{workspace_id}/stats', { contact: contacts, order: ordersOf(select) })
