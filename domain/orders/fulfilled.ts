import type { ActContext, Events } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { invoice, invoiceLineItem } from './invoice/model.ts'
import { order } from './order/model.ts'

const { event } = order
type Happens = Events<typeof order>
type Line = RecordOf<typeof invoiceLineItem>
type Invoice = RecordOf<typeof invoice>

/** Lines that a fulfilment or restock covers, and the contact whose order it must be. */
type OfLines = {
  readonly contact_id: number
  readonly lines: readonly { readonly id: number; readonly quantity: number }[]
}
export type Fulfilling = OfLines & { readonly fulfillment_id: number }
export type Restocking = OfLines & { readonly restock_id: number }

type Asked<Input> = ActContext<typeof order, Input>

const problem = (text: string, code: string) =>
  refuse.invalid(`Included line items ${text}`, 'included_orders_invoices_line_items_attributes', code)

const leftOf = ({ quantity, fulfilled_quantity, restocked_quantity }: Line): number =>
  quantity - fulfilled_quantity - restocked_quantity

interface LinePart {
  readonly line: Line
  readonly quantity: number
}

/**
 * Pairs the lines that were sent with the line items of the order. Refuses more than is left of a line item.
 *
 * @param isRecorded whether a line item has the part already: repeating the command then adds no event
 * @param whyNot the reason for which nothing can be taken from a line item of the invoice, if there is one
 */
const partsOf = (
  { before, wanted, records }: Asked<OfLines>,
  isRecorded: (line: Line) => boolean,
  whyNot: (bill: Invoice) => string | undefined,
): readonly LinePart[] | Refusal => {
  if (before.contact_id !== wanted.contact_id) return problem('must be of orders of the contact', 'invalid')
  const parts: LinePart[] = []
  for (const { id, quantity } of wanted.lines ?? []) {
    const line = records.one(invoiceLineItem, id)
    const bill = line && records.one(invoice, line.invoice_id)
    if (!bill) return problem(`contain ${id}, which is not of the order`, 'not_found')
    if (isRecorded(line)) continue
    const reason = whyNot(bill)
    if (reason !== undefined) return problem(`contain ${id}, ${reason}`, 'unpaid')
    const left = leftOf(line)
    if (quantity > left) return problem(`contain ${quantity} of ${id}, of which ${left} are left`, 'too_large')
    parts.push({ line, quantity })
  }
  return parts
}

const keyOf = ({ id, invoice_id }: Line) => ({ invoice_line_item_id: id, invoice_id })

/** Records a fulfilment of line items of paid invoices. Refuses more than is left of a line item. */
const fulfil = (asked: Asked<Fulfilling>): Happens | Refusal => {
  const { fulfillment_id } = asked.wanted
  const parts = partsOf(
    asked,
    ({ fulfilled }) => fulfilled.some((part) => part.fulfillment_id === fulfillment_id),
    ({ status }) => (status === 'paid' ? undefined : 'whose invoice is not eligible for fulfillment'),
  )
  if (parts instanceof Refusal) return parts
  const sent = new Map(parts.map(({ line, quantity }) => [line.id, quantity]))
  const concerned = new Set(parts.map(({ line }) => line.invoice_id))
  const isWhole = (invoice_id: number): boolean =>
    asked.records
      .all(invoiceLineItem)
      .filter((line) => line.invoice_id === invoice_id)
      .every((line) => leftOf(line) === (sent.get(line.id) ?? 0))
  return [
    ...parts.map(({ line, quantity }) => event.InvoiceLineItemFulfilled({ ...keyOf(line), fulfillment_id, quantity })),
    ...[...concerned].filter(isWhole).map((invoice_id) => event.InvoiceFulfilled({ invoice_id })),
  ]
}

/** Takes a fulfilment back: its quantities can be fulfilled again. */
const unfulfil = ({ wanted, records }: Asked<Pick<Fulfilling, 'fulfillment_id'>>) =>
  records
    .all(invoiceLineItem)
    .flatMap((line) =>
      line.fulfilled
        .filter((part) => part.fulfillment_id === wanted.fulfillment_id)
        .map((part) => event.InvoiceLineItemUnfulfilled({ ...keyOf(line), ...part })),
    )

/** Records quantities that will not be sent, of invoices that were paid at some time. */
const restock = (asked: Asked<Restocking>): Happens | Refusal => {
  const { restock_id } = asked.wanted
  const parts = partsOf(
    asked,
    ({ restocked }) => restocked.some((part) => part.restock_id === restock_id),
    ({ ever_paid }) => (ever_paid ? undefined : 'whose invoice was never paid'),
  )
  return parts instanceof Refusal
    ? parts
    : parts.map(({ line, quantity }) => event.InvoiceLineItemRestocked({ ...keyOf(line), restock_id, quantity }))
}

/** Takes a restock back: its quantities can be fulfilled again. */
const cancelRestock = ({ wanted, records }: Asked<Pick<Restocking, 'restock_id'>>) =>
  records
    .all(invoiceLineItem)
    .flatMap((line) =>
      line.restocked
        .filter((part) => part.restock_id === wanted.restock_id)
        .map((part) => event.InvoiceLineItemRestockCancelled({ ...keyOf(line), ...part })),
    )

/** Acts by which fulfilments and restocks change an order (spec 3). */
export const fulfilment = { fulfil, unfulfil, restock, cancelRestock }
