import type { DomainEvent } from '../kernel/event.ts'
import { type Refusal, refuse } from '../kernel/refusal.ts'
import type { AskedOf } from '../kernel/rules.ts'
import { invoice, invoiceLineItem } from './invoice/model.ts'
import type { order } from './order/model.ts'

/** What a fulfilment says of an order: of which contact it must be, and how much it sends of which line items of its invoices. */
export type Fulfilling = {
  readonly fulfillment_id: number
  readonly contact_id: number
  readonly lines: readonly { readonly id: number; readonly quantity: number }[]
}

const FIELD = 'fulfillment.included_orders_invoices_line_items_attributes'
const problem = (text: string, code: string) => refuse.invalid(`Included line items ${text}`, FIELD, code)

/** So much of line items of the order's paid invoices is sent, and no more than is left of each. Told again, it says nothing new. */
const fulfil = ({ before, wanted, records }: AskedOf<typeof order, Fulfilling>): readonly DomainEvent[] | Refusal => {
  const { fulfillment_id = 0, contact_id, lines = [] } = wanted
  if (before.contact_id !== contact_id) return problem('must be of orders of the contact', 'invalid')
  const events: DomainEvent[] = []
  const done = new Map(records.all(invoiceLineItem).map((line) => [line.id, line.fulfilled_quantity]))
  const concerned = new Set<number>()
  for (const { id, quantity } of lines) {
    const line = records.one(invoiceLineItem, id)
    const of = line && records.one(invoice, line.invoice_id)
    if (!of) return problem(`contain ${id}, which is not of the order`, 'not_found')
    if (line.fulfilled.some((part) => part.fulfillment_id === fulfillment_id)) continue
    if (of.status !== 'paid') return problem(`contain ${id}, whose invoice is not eligible for fulfillment`, 'unpaid')
    const left = line.quantity - line.fulfilled_quantity
    if (quantity > left) return problem(`contain ${quantity} of ${id}, of which ${left} are left`, 'too_large')
    done.set(id, line.fulfilled_quantity + quantity)
    concerned.add(of.id)
    events.push({
      type: 'InvoiceLineItemFulfilled',
      data: { invoice_line_item_id: id, invoice_id: of.id, fulfillment_id, quantity },
    })
  }
  for (const invoice_id of concerned) {
    const all = records.all(invoiceLineItem).filter((line) => line.invoice_id === invoice_id)
    if (all.every(({ id, quantity }) => done.get(id) === quantity))
      events.push({ type: 'InvoiceFulfilled', data: { invoice_id } })
  }
  return events
}

/** What a fulfilment had of the order's line items is to be sent after all. */
const unfulfil = ({ wanted, records }: AskedOf<typeof order, Pick<Fulfilling, 'fulfillment_id'>>) =>
  records.all(invoiceLineItem).flatMap(({ id, invoice_id, fulfilled }) =>
    fulfilled
      .filter((part) => part.fulfillment_id === wanted.fulfillment_id)
      .map((part) => ({
        type: 'InvoiceLineItemUnfulfilled',
        data: { invoice_line_item_id: id, invoice_id, ...part },
      })),
  )

/** What fulfilments ask of an order (spec 3; rule book "Fulfilment"). */
export const fulfilment = { fulfil, unfulfil }
