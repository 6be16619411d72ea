import { stocks } from '../../inventory/public.ts'
import { stock } from '../../inventory/stock/model.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { type Reader, type RecordCommand, readerOver } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { invoice, invoiceLineItem, orders } from '../../orders/public.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byOrder, byStock, type Line, linesIn, sum, toOrderLines } from '../lines.ts'
import { fulfillmentLineItem } from './model.ts'

const quantitiesOf = (lines: readonly Line[]) =>
  byOrder(lines).map(([order_id, own]) => ({ order_id, quantity: sum(own) }))

/** Returns the ids of line items whose invoice is paid: their goods are still owed to the buyer. */
const owedLines = async (
  lines: readonly RecordOf<typeof invoiceLineItem>[],
  read: Reader,
): Promise<ReadonlySet<number>> => {
  const bills = await read.many(invoice, [...new Set(lines.map(({ invoice_id }) => invoice_id))])
  const paid = new Set(bills.filter(({ status }) => status === 'paid').map(({ id }) => id))
  return new Set(lines.filter(({ invoice_id }) => paid.has(invoice_id)).map(({ id }) => id))
}

/** Input of the acts by which a stock gives goods to a fulfilment and takes them back. */
const ofStock = (fulfillment_id: number, location_id: number, lines: readonly Line[]) => ({
  fulfillment_id,
  location_id,
  quantity: sum(lines),
  orders: quantitiesOf(lines),
})

/**
 * Follow-up commands of a new fulfilment, in this order: stock checks that enough is there, orders count what is sent,
 * and stock gives it. Stock gives without refusing, so it has given exactly when all orders have counted.
 */
export const send = async (input: WriteInput, _: FactReader, command: RecordCommand): Promise<readonly Ask[]> => {
  const { id: fulfillment_id } = input
  const { contact_id, location_id, ignore_out_of_stock, lines: all } = command.wanted
  const lines = linesIn(all)
  const stocked = byStock(lines).map(([id, own]) => ({
    id,
    wanted: ofStock(fulfillment_id, Number(location_id), own),
  }))
  return [
    ...(ignore_out_of_stock ? [] : stocked.map(({ id, wanted }) => ask(stocks, id, 'assure', wanted))),
    ...byOrder(lines).map(([id, own]) =>
      ask(orders, id, 'fulfil', { fulfillment_id, contact_id: Number(contact_id), lines: toOrderLines(own) }),
    ),
    ...stocked.map(({ id, wanted }) => ask(stocks, id, 'take', wanted)),
  ]
}

/** Follow-up commands of a fulfilment that is cancelled or removed: orders and stock undo what they recorded for it. */
export const giveBack = async (input: WriteInput, documents: FactReader): Promise<readonly Ask[]> => {
  const { id: fulfillment_id, document } = input
  if (document?.status !== 'fulfilled') return []
  const read = readerOver(documents)
  const lines = await read.find(fulfillmentLineItem, { where: { fulfillment_id } })
  const [billed, existing] = await Promise.all([
    read.many(
      invoiceLineItem,
      lines.map(({ invoices_line_item_id }) => invoices_line_item_id),
    ),
    read.many(
      stock,
      byStock(lines).map(([id]) => id),
    ),
  ])
  // An order that refused after a concurrent change recorded nothing, and then no stock was taken.
  const isTaken = billed.every(({ fulfilled }) => fulfilled?.some((part) => part.fulfillment_id === fulfillment_id))
  const returning = byStock(lines).filter(([id]) => isTaken && existing.some((one) => one.id === id))
  const isOwed = await owedLines(billed, read)
  return [
    ...byOrder(lines).map(([id]) => ask(orders, id, 'unfulfil', { fulfillment_id })),
    ...returning.map(([id, own]) =>
      ask(stocks, id, 'giveBack', {
        ...ofStock(fulfillment_id, Number(document.location_id), own),
        owed: quantitiesOf(own.filter(({ invoices_line_item_id }) => isOwed.has(invoices_line_item_id))),
      }),
    ),
  ]
}
