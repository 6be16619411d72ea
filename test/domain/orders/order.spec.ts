import { expect } from 'chai'
import fc from 'fast-check'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { toMinor } from '../../../domain/kernel/values/money.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { orders } from '../../../domain/orders/order/rules.ts'
import { AT, ask, given, stateAfter, WORKSPACE } from '../../support/decider.ts'

const variant = { id: 11, workspace_id: WORKSPACE, product_id: 3 }
const AGREED = { amount: '12.50', payment_type: 'one_time', interval: null, interval_count: null }
const price = { id: 21, workspace_id: WORKSPACE, product_id: 3, ...AGREED }
const catalogue = { variants: [variant], prices: [price] }
const placed = (more: object = {}) => ({
  type: 'OrderPlaced',
  data: { order_type: 'one-time-order', contact_id: 5, currency: 'USD', payment_processor: 'external', ...more },
})
const line = {
  type: 'OrderLineItemAdded',
  data: { line_item_id: 31, product_id: 3, variant_id: 11, products_price_id: 21, quantity: 2, agreed: AGREED },
}
const issued = (invoice_id: number, more: object = {}) => ({
  type: 'InvoiceIssued',
  data: { invoice_id, external_id: 'b', currency: 'USD', total_amount: '25.00', subscription: false, ...more },
})
const paid = (invoice_id: number) => ({
  type: 'InvoicePaid',
  data: { invoice_id, subscription: false, first: true, recurring: false },
})
const bill = (id: number) => ({ child: 'invoices', id })

describe('order', () => {
  const place = (line_items_attributes: object[], wanted: object = {}) =>
    ask(
      'create',
      { order_type: 'one-time-order', live_mode: true, contact_id: 5, line_items_attributes, ...wanted },
      {
        ids: [31, 32],
      },
    )

  it('costs the sum of its lines at catalogue prices', () => {
    const named = { variant_id: 11, products_price_id: 21, quantity: 2 }
    const decision = orders.decide(orders.initial, place([named, { ...named, quantity: 1 }]), {
      catalogue,
      currency: 'USD',
    })
    const events = decision as readonly DomainEvent[]
    expect(events.map(({ type }) => type)).to.deep.equal(['OrderPlaced', 'OrderLineItemAdded', 'OrderLineItemAdded'])
    expect(events[0]!.data).to.include({ total_amount: '37.50', currency: 'USD', payment_processor: 'external' })
    expect(events[1]).to.deep.equal(line)
  })

  it('accepts no price of another product', () => {
    const named = { variant_id: 11, products_price_id: 21, quantity: 2 }
    const with_ = (given_: object) =>
      given(orders).when(place([named]), { catalogue: { ...catalogue, ...given_ }, currency: 'USD' })
    with_({ prices: [{ ...price, product_id: 4 }] }).refuses('invalid', /variant's product/)
    with_({ prices: [{ ...price, payment_type: 'payment_plan' }] }).refuses('invalid', /one-time prices/)
  })

  it('of a processor stores the processor data, and accepts notes', () => {
    const there = placed({ payment_processor: 'stripe', order_type: 'subscription-order' })
    const change = (wanted: object) => given(orders, there).when(ask('change', wanted))
    change({ service_status: 'canceled' }).thenNothing()
    change({ service_status: 'canceled', notes: 'Asked' }).then({ type: 'OrderChanged', data: { notes: 'Asked' } })
    change({ external_id: 'x' }).refuses('invalid', 'external_id can only be set on an external order')
    change({ billing_address_city: 'Bonn' }).refuses('invalid', /billing_address_city/)
    change({ churned_at: AT }).refuses('invalid', 'churned_at can only be set on an external subscription order')
    given(orders, there, line)
      .when(ask('create', { status: 'paid' }, bill(41)), catalogue)
      .refuses('notFound', 'No such external order')
  })

  it('that becomes active again has no end any more, unless one is told', () => {
    const there = placed({ order_type: 'subscription-order', activated_at: AT })
    const ended = [
      { type: 'SubscriptionCanceled', data: {} },
      { type: 'OrderChanged', data: { canceled_at: AT, churned_at: AT, cancel_reason: 'other' } },
    ]
    given(orders, there, ...ended)
      .when(ask('change', { service_status: 'active' }))
      .then(
        { type: 'SubscriptionActivated', data: { again: true } },
        { type: 'OrderChanged', data: { canceled_at: null, cancel_reason: null, churned_at: null } },
      )
  })
})

describe('invoice', () => {
  it('completes what is bought once, and is the purchase, the first time that it is paid', () => {
    given(orders, placed(), line, issued(41))
      .when(ask('change', { status: 'paid', paid_at: AT }, bill(41)), catalogue)
      .then(
        { type: 'InvoicePaid', data: { invoice_id: 41, subscription: false, first: true, recurring: false } },
        {
          type: 'InvoiceChanged',
          data: { invoice_id: 41, shipping_amount: '0.00', paid_at: AT, subtotal_amount: '0.00', total_amount: '0.00' },
        },
        { type: 'OrderBilled', data: { billing_status: 'paid', order_type: 'one-time-order' } },
        { type: 'PurchaseSucceeded', data: {} },
        { type: 'OrderCompleted', data: { order_type: 'one-time-order' } },
      )
  })

  it('that is not the newest does not say how the order is billed', () => {
    const decision = orders.decide(
      stateAfter(orders, [placed(), line, issued(41), paid(41), issued(42)]),
      ask('change', { status: 'refunded' }, bill(41)),
      catalogue,
    )
    const types = (decision as readonly DomainEvent[]).map(({ type }) => type)
    expect(types).to.include('InvoiceRefunded')
    expect(types).not.to.include('OrderBilled')
  })

  it('is exactly the sum of its lines and the shipping, in every currency', () => {
    const amounts = fc.array(fc.tuple(fc.nat(10_000_000), fc.integer({ min: 1, max: 1000 })), {
      minLength: 1,
      maxLength: 20,
    })
    const scale = { USD: 2, JPY: 0, BHD: 3 }
    const currency = fc.constantFrom(...(Object.keys(scale) as (keyof typeof scale)[]))
    fc.assert(
      fc.property(currency, amounts, fc.nat(100_000), (code, lines, shipping) => {
        const text = (minor: number) => (minor / 10 ** scale[code]).toFixed(scale[code])
        const sent = lines.map(([minor, quantity]) => ({
          amount: text(minor),
          quantity,
          variant_id: 11,
          products_price_id: 21,
        }))
        const wanted = {
          status: 'unpaid',
          external_id: 'b',
          line_items_attributes: sent,
          shipping_amount: text(shipping),
        }
        const command = ask('create', wanted, { ...bill(41), ids: sent.map((_, n) => 50 + n) })
        const decision = orders.decide(stateAfter(orders, [placed({ currency: code }), line]), command, catalogue)
        if (decision instanceof Refusal) throw decision
        const { total_amount, subtotal_amount } = decision[0]!.data as Record<string, string>
        const sum = lines.reduce((all, [minor, quantity]) => all + minor * quantity, 0)
        expect(toMinor(subtotal_amount!, code)).to.equal(BigInt(sum))
        expect(toMinor(total_amount!, code)).to.equal(BigInt(sum + shipping))
        expect(decision.filter(({ type }) => type === 'InvoiceLineItemIssued').length).to.equal(lines.length)
      }),
    )
  })
})
