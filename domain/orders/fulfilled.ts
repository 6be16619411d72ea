import type { ActContext, Events } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { invoice, invoiceLineItem } from './invoice/model.ts'
import { order } from './order/model.ts'

const { event } = order
type Happens = Events<typeof order>
type Line = RecordOf<typeof invoiceLineItem>
type Invoice = RecordOf<typeof invoice>

/** What fulfilments and restocks say of an order: of which contact it must be, and how much they have of which line items of its invoices. */
type OfLines = {
  readonly contact_id: number
  readonly lines: readonly { readonly id: number; readonly quantity: number }[]
}
export type Fulfilling = OfLines & { readonly fulfillment_id: number }
export type Restocking = OfLines & { readonly restock_id: number }

type Asked<Besides> = ActContext<typeof order, Besides>

const problem = (text: string, code: string) =>
  refuse.invalid(`Included line items ${text}`, 'included_orders_invoices_line_items_attributes', code)

const leftOf = ({ quantity, fulfilled_quantity, restocked_quantity }: Line): number =>
  quantity - fulfilled_quantity - restocked_quantity

interface LinePart {
  readonly line: Line
  readonly quantity: number
}

/**
 * The parts that are asked for and not there yet; refused beyond what is left of a line item.
 *
 * @param isThere whether a line item has the part already: told again, it says nothing new
 */
const partsOf = (
  { before, wanted, records }: Asked<OfLines>,
  isThere: (line: Line) => boolean,
  unless: (of: Invoice) => string | undefined,
): readonly LinePart[] | Refusal => {
  if (before.contact_id !== wanted.contact_id) return problem('must be of orders of the contact', 'invalid')
  const parts: LinePart[] = []
  for (const { id, quantity } of wanted.lines ?? []) {
    const line = records.one(invoiceLineItem, id)
    const of = line && records.one(invoice, line.invoice_id)
    if (!of) return problem(`contain ${id}, which is not of the order`, 'not_found')
    if (isThere(line)) continue
    const because = unless(of)
    if (because !== undefined) return problem(`contain ${id}, ${because}`, 'unpaid')
    const left = leftOf(line)
    if (quantity > left) return problem(`contain ${quantity} of ${id}, of which ${left} are left`, 'too_large')
    parts.push({ line, quantity })
  }
  return parts
}

const keyOf = ({ id, invoice_id }: Line) => ({ invoice_line_item_id: id, invoice_id })

/** So much of line items of the order's paid invoices is sent, and no more than is left of each. */
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

/** What a fulfilment had of the order's line items is to be sent after all. */
const unfulfil = ({ wanted, records }: Asked<Pick<Fulfilling, 'fulfillment_id'>>) =>
  records
    .all(invoiceLineItem)
    .flatMap((line) =>
      line.fulfilled
        .filter((part) => part.fulfillment_id === wanted.fulfillment_id)
        .map((part) => event.InvoiceLineItemUnfulfilled({ ...keyOf(line), ...part })),
    )

/** So much of line items of invoices that were paid is not going to be sent. */
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

/** What a restock had of the order's line items is to be sent after all. */
const cancelRestock = ({ wanted, records }: Asked<Pick<Restocking, 'restock_id'>>) =>
  records
    .all(invoiceLineItem)
    .flatMap((line) =>
      line.restocked
        .filter((part) => part.restock_id === wanted.restock_id)
        .map((part) => event.InvoiceLineItemRestockCancelled({ ...keyOf(line), ...part })),
    )

/** What fulfilments and restocks ask of an order (spec 3; rule book "Fulfilment"). */
export const fulfilment = { fulfil, unfulfil, restock, cancelRestock }
