import { expect } from 'chai'
import fc from 'fast-check'
import { fulfillments } from '../../../domain/fulfillment/fulfillment/rules.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { invoiceLineItem } from '../../../domain/orders/invoice/model.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { AT, ask, given, ROOT, stateAfter, WORKSPACE } from '../../support/decider.ts'

const placed = { type: 'OrderPlaced', data: { order_type: 'one-time-order', contact_id: 5, currency: 'USD' } }
const issued = (invoice_id: number) => ({
  type: 'InvoiceIssued',
  data: { invoice_id, external_id: 'b', currency: 'USD', total_amount: '25.00', subscription: false },
})
const paid = (invoice_id: number) => ({
  type: 'InvoicePaid',
  data: { invoice_id, subscription: false, first: true, recurring: false },
})
const line = (invoice_line_item_id: number, invoice_id: number, quantity: number) => ({
  type: 'InvoiceLineItemIssued',
  data: { invoice_line_item_id, invoice_id, product_id: 3, variant_id: 11, products_price_id: 21, quantity },
})
const sent = (id: number, invoice_id: number, fulfillment_id: number, quantity: number) => ({
  type: 'InvoiceLineItemFulfilled',
  data: { invoice_line_item_id: id, invoice_id, fulfillment_id, quantity },
})
const fulfil = (fulfillment_id: number, ...lines: readonly (readonly [id: number, quantity: number])[]) =>
  ask('fulfil', { fulfillment_id, contact_id: 5, lines: lines.map(([id, quantity]) => ({ id, quantity })) })

describe('an order that is fulfilled', () => {
  const there = [placed, issued(41), line(51, 41, 2), line(52, 41, 1), issued(42), line(53, 42, 1), paid(41)]

  it('counts the sent items, and reports when an invoice is complete', () => {
    given(orders, ...there)
      .when(fulfil(7, [51, 1], [52, 1]))
      .then(sent(51, 41, 7, 1), sent(52, 41, 7, 1))
    given(orders, ...there, sent(51, 41, 7, 1), sent(52, 41, 7, 1))
      .when(fulfil(8, [51, 1]))
      .then(sent(51, 41, 8, 1), { type: 'InvoiceFulfilled', data: { invoice_id: 41 } })
  })

  it('has no events when a command is repeated', () => {
    const told = given(orders, ...there, sent(51, 41, 7, 1))
    told.when(fulfil(7, [51, 1])).thenNothing()
    told.when(ask('unfulfil', { fulfillment_id: 8 })).thenNothing()
    told.when(ask('unfulfil', { fulfillment_id: 7 })).then({
      type: 'InvoiceLineItemUnfulfilled',
      data: { invoice_line_item_id: 51, invoice_id: 41, fulfillment_id: 7, quantity: 1 },
    })
  })

  it('refuses items that are not its own, not paid, not left, or of another contact', () => {
    const order = given(orders, ...there, sent(51, 41, 7, 1))
    order.when(fulfil(8, [51, 2])).refuses('invalid', 'Included line items contain 2 of 51, of which 1 are left')
    order.when(fulfil(8, [53, 1])).refuses('invalid', /53, whose invoice is not eligible/)
    order.when(fulfil(8, [54, 1])).refuses('invalid', /54, which is not of the order/)
    const asked = ask('fulfil', { fulfillment_id: 8, contact_id: 6, lines: [] })
    order.when(asked).refuses('invalid', 'Included line items must be of orders of the contact')
  })

  it('never sends more than was ordered, over any fulfilments and cancellations', () => {
    const step = fc.record({
      cancels: fc.boolean(),
      fulfillment: fc.integer({ min: 1, max: 6 }),
      lines: fc.uniqueArray(fc.tuple(fc.constantFrom(51, 52), fc.integer({ min: 1, max: 4 })), {
        minLength: 1,
        maxLength: 2,
        selector: ([id]) => id,
      }),
    })
    const ordered = new Map([
      [51, 5],
      [52, 3],
    ])
    const begun = [placed, issued(41), line(51, 41, 5), line(52, 41, 3), paid(41)]
    fc.assert(
      fc.property(fc.array(step, { maxLength: 30 }), (steps) => {
        let state = stateAfter(orders, begun)
        let revision = begun.length
        const account = new Map<number, Map<number, number>>()
        const sentOf = (id: number) => [...account.values()].reduce((sum, parts) => sum + (parts.get(id) ?? 0), 0)
        for (const { cancels, fulfillment, lines } of steps) {
          const command = cancels ? ask('unfulfil', { fulfillment_id: fulfillment }) : fulfil(fulfillment, ...lines)
          const before = account.get(fulfillment) ?? new Map<number, number>()
          const fresh = lines.filter(([id]) => !before.has(id))
          const fits = cancels || fresh.every(([id, quantity]) => sentOf(id) + quantity <= ordered.get(id)!)
          const decision = orders.decide(state, command, undefined)
          expect(!(decision instanceof Refusal)).to.equal(fits)
          if (decision instanceof Refusal) continue
          const events = decision as readonly DomainEvent[]
          if (cancels) account.delete(fulfillment)
          else account.set(fulfillment, new Map([...before, ...fresh]))
          const isWhole = [...ordered].every(([id, quantity]) => sentOf(id) === quantity)
          const says = events.some(({ type }) => type === 'InvoiceFulfilled')
          expect(says).to.equal(!cancels && isWhole && fresh.length > 0)
          state = orders.fold(
            state,
            events.map((event) => ({
              ...event,
              stream: streamOf(orders, ROOT),
              revision: ++revision,
              metadata: { at: AT, actor: 'x', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE },
            })),
          )
          for (const { id, quantity, fulfilled_quantity } of new RecordsOfStream(state).all(invoiceLineItem)) {
            expect(fulfilled_quantity).to.equal(sentOf(id))
            expect(fulfilled_quantity).to.be.at.most(quantity)
          }
        }
      }),
      { numRuns: 300 },
    )
  })
})

describe('a fulfilment', () => {
  const created = { type: 'FulfillmentCreated', data: { contact_id: 5, location_id: 6 } }

  it('is cancelled once', () => {
    given(fulfillments, created).when(ask('cancel')).then({ type: 'FulfillmentCancelled', data: {} })
    given(fulfillments, created, { type: 'FulfillmentCancelled', data: {} })
      .when(ask('cancel'))
      .refuses('conflict', 'Fulfillment is already cancelled')
  })
})
