import { stocks } from '../../inventory/public.ts'
import { stock } from '../../inventory/stock/model.ts'
import { type Ask, ask } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { type RecordCommand, readerOver } from '../../kernel/decide/rules.ts'
import { invoiceLineItem, orders } from '../../orders/public.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byOrder, byStock, type Line, linesIn, sum, toOrderLines } from '../lines.ts'
import { fulfillmentLineItem } from './model.ts'

/** Input of the acts by which a stock gives goods to a fulfilment and takes them back. */
const ofStock = (fulfillment_id: number, location_id: number, lines: readonly Line[]) => ({
  fulfillment_id,
  location_id,
  quantity: sum(lines),
  orders: byOrder(lines).map(([order_id, own]) => ({ order_id, quantity: sum(own) })),
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
  return [
    ...byOrder(lines).map(([id]) => ask(orders, id, 'unfulfil', { fulfillment_id })),
    ...returning.map(([id, own]) =>
      ask(stocks, id, 'giveBack', ofStock(fulfillment_id, Number(document.location_id), own)),
    ),
  ]
}
