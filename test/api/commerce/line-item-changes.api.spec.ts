import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type Tenant, testService } from '../../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'

const of = (amount: number, interval = 'months', more: object = {}) => ({
  ...{ amount, interval, payment_type: 'subscription' },
  ...more,
})

describe('subscriptions that move to another price, over REST', () => {
  let tenant: Tenant
  let shop: Shop
  let monthly: OnSale
  let dearer: OnSale
  let yearly: OnSale
  let cheaper: OnSale
  let never: OnSale
  before(async () => {
    tenant = await (await testService()).tenant({ test: true })
    shop = await shopOf(tenant)
    const all = await shop.sellsAt(of(30), of(60), of(300, 'years'), of(10), of(1))
    ;[monthly, dearer, yearly, cheaper, never] = all as [OnSale, OnSale, OnSale, OnSale, OnSale]
    const upgrade_price_ids = [dearer, yearly, monthly].map(({ products_price_id }) => products_price_id)
    const downgrade_price_ids = [cheaper.products_price_id]
    const products_variant = { upgrade_price_ids, downgrade_price_ids }
    ok(await shop.api.put(`/products/variants/${monthly.variant_id}/change_options`, { products_variant }))
  })

  const lineOf = async (orderId: number) => (await shop.order(orderId)).line_items[0]
  const asks = async (what: 'changes' | 'changes/perform', orderId: number, to: OnSale, more: object = {}) => {
    const { id } = await lineOf(orderId)
    const { products_price_id } = to
    return shop.api.post(`/orders/line_items/${id}/${what}`, {
      orders_line_items_change: { products_price_id, ...more },
    })
  }
  const moves = async (...[orderId, to, more]: [number, OnSale, object?]) =>
    ok(await asks('changes/perform', orderId, to, more)).orders_line_items_change
  const bought = async (line = monthly): Promise<number> => (await shop.buys(line)).order_id
  const bills = async (orderId: number) =>
    (await shop.invoices(orderId)).map(({ invoice_type, status, total_amount }) => [invoice_type, status, total_amount])

  it('preview the change, and then make it with the same amounts', async () => {
    const orderId = await bought()
    await shop.passes(15)
    const preview = ok(await asks('changes', orderId, dearer)).orders_line_items_change
    expect(preview.preview).to.equal(true)
    expect((await lineOf(orderId)).products_price.id).to.equal(monthly.products_price_id)
    const { preview: isPreview, ...made } = await moves(orderId, dearer)
    expect(isPreview).to.equal(false)
    const { next_invoice_date: at, ...upcoming } = made.upcoming_invoice
    const { next_invoice_date: told, ...foretold } = preview.upcoming_invoice
    expect(Math.abs(Date.parse(at) - Date.parse(told))).to.be.lessThan(60_000)
    expect(upcoming).to.deep.equal(foretold)
    expect(made.new_line_item.products_price.amount).to.equal('60.00')
    expect(made.new_line_item.prorated).to.equal('true')
    expect(made.previous_line_item.products_price.amount).to.equal('30.00')
    expect(made.previous_line_item.id).to.equal(made.new_line_item.id)
    expect(preview.new_line_item.products_price).to.deep.equal(made.new_line_item.products_price)
    expect((await lineOf(orderId)).products_price.id).to.equal(dearer.products_price_id)
  })

  it('charge the difference for the rest of the period at once, and then the new price', async () => {
    const orderId = await bought()
    const { next_charge_at, activated_at } = await shop.order(orderId)
    await shop.passes(10)
    const { upcoming_invoice } = await moves(orderId, dearer)
    const left = Date.parse(next_charge_at) - Date.parse(upcoming_invoice.next_invoice_date)
    const share = (30 * left) / (Date.parse(next_charge_at) - Date.parse(activated_at))
    expect(Number(upcoming_invoice.total_amount)).to.be.closeTo(share, 0.006)
    await shop.passes(31)
    expect(await bills(orderId)).to.deep.equal([
      ['initial', 'paid', '30.00'],
      ['interim', 'paid', upcoming_invoice.total_amount],
      ['renewal', 'paid', '60.00'],
    ])
    const charges = (await shop.transactions(orderId)).map(({ amount }) => amount)
    expect(charges).to.deep.equal(['30.00', upcoming_invoice.total_amount, '60.00'])
  })

  it('are downgraded when the period is over, with nothing to pay before', async () => {
    const orderId = await bought()
    const { upcoming_invoice } = await moves(orderId, cheaper)
    const { next_charge_at } = await shop.order(orderId)
    expect(upcoming_invoice).to.include({ total_amount: '10.00', next_invoice_date: next_charge_at })
    await shop.passes(32)
    expect((await bills(orderId)).map(([, , total]) => total)).to.deep.equal(['30.00', '10.00'])
  })

  it('start a year at once, less the rest of the month; then cost nothing for a year', async () => {
    const orderId = await bought()
    await shop.passes(1)
    const { upcoming_invoice } = await moves(orderId, yearly)
    expect(upcoming_invoice.subtotal_amount).to.equal('300.00')
    expect(Number(upcoming_invoice.discount_amount)).to.be.within(28.9, 29.1)
    const { next_charge_at, paid_until } = await shop.order(orderId)
    expect(next_charge_at.slice(0, 10)).to.equal(
      new Date(Date.parse(upcoming_invoice.next_invoice_date) + 365 * 86_400_000).toISOString().slice(0, 10),
    )
    expect(paid_until).to.not.equal(null)
    await shop.passes(300)
    expect((await bills(orderId)).map(([type]) => type)).to.deep.equal(['initial', 'interim'])
    expect((await shop.order(orderId)).paid_until).to.equal(next_charge_at)
    const down = await asks('changes/perform', orderId, monthly, { effective_time: 'now' })
    expect([down.status, down.body.details[0].code]).to.deep.equal([422, 'invalid_effective_time'])
  })

  it('distinguish what was paid in the period from later payments', async () => {
    const orderId = await bought()
    await moves(orderId, dearer, { effective_time: 'next_renewal' })
    const { upcoming_invoice } = await moves(orderId, yearly, { effective_time: 'now' })
    expect(Number(upcoming_invoice.discount_amount)).to.be.within(29.9, 30)
  })

  it('are refused by code, and change nothing', async () => {
    const orderId = await bought()
    const plan = await bought(await shop.sells({ ...of(30), payment_type: 'payment_plan', duration: 3 }))
    const code = async (...asked: [number, OnSale, object?]) => {
      const codes = []
      for (const what of ['changes', 'changes/perform'] as const) {
        const { status, body } = await asks(what, ...asked)
        codes.push(status, body.details[0].code)
      }
      return codes
    }
    const both = (name: string) => [422, name, 422, name]
    expect(await code(orderId, dearer, { effective_time: 'end_of_period' })).to.deep.equal(
      both('invalid_effective_time'),
    )
    expect(await code(orderId, monthly)).to.deep.equal(both('same_target'))
    expect(await code(orderId, never)).to.deep.equal(both('target_not_allowed'))
    expect(await code(plan, dearer)).to.deep.equal(both('not_eligible'))
    expect(await code(orderId, dearer, { prorate: 'perhaps' })).to.deep.equal(both('type'))
    ok(await shop.api.post(`/orders/${orderId}/cancel`))
    expect(await code(orderId, dearer)).to.deep.equal(both('not_eligible'))
    expect((await lineOf(orderId)).products_price.id).to.equal(monthly.products_price_id)
  })
})
