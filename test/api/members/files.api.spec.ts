import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type MemberBrowser, signedIn } from '../../support/member.ts'
import { recordMakers } from '../../support/records.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { waitUntilSettled } from '../../support/settled.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'

const BUYER = 'buyer.of.shop@example.com'
const monthly = (amount: number) => ({ amount, payment_type: 'subscription', interval: 'months' })
const PAID = { status: 'paid', paid_at: '2026-01-01T00:00:00Z' }

describe('files that are bought', () => {
  let service: TestService
  let tenant: Tenant
  let shop: Shop
  let member: MemberBrowser

  beforeEach(async () => {
    service = await testService()
    tenant = await service.tenant({ test: true })
    shop = await shopOf(tenant)
    await service.caughtUp()
    member = await signedIn(service, tenant, BUYER)
  })

  /** Gives the variant of what is on sale a file. @returns the file */
  const withFile = async ({ variant_id }: OnSale): Promise<number> => {
    const id = await recordMakers.download!.make(tenant)
    const { asset_id } = ok(await tenant.api.get(`/downloads/${id}`))
    ok(await tenant.api.put(`/products/variants/${variant_id}`, { products_variant: { asset_ids: [asset_id] } }))
    return id
  }
  const isOpen = async (orderId: number, fileId: number): Promise<boolean> => {
    await waitUntilSettled(service)
    const { status } = await member.get(`/members/orders/${orderId}/downloads/${fileId}`)
    const { text } = await member.get(`/members/orders/${orderId}`)
    expect([303, 404]).to.include(status)
    expect(text.includes(`/downloads/${fileId}"`), 'listed').to.equal(status === 303)
    return status === 303
  }
  const external = async (line: OnSale) => {
    const order = { order_type: 'one-time-order', live_mode: false, contact_id: shop.contactId }
    const line_items_attributes = [{ ...line, quantity: 1 }]
    return ok(await tenant.api.post(`${shop.workspace}/orders`, { order: { ...order, line_items_attributes } })).id
  }
  const bill = async (orderId: number, orders_invoice: object) =>
    ok(await tenant.api.post(`/orders/${orderId}/invoices`, { orders_invoice })).id
  const restate = async (invoiceId: number, orders_invoice: object) =>
    ok(await tenant.api.put(`/orders/invoices/${invoiceId}`, { orders_invoice }))

  it('are those of the variant that was paid, until the one that a subscription moves to is paid', async () => {
    const [cheap, dear] = [await shop.sells(monthly(10)), await shop.sells(monthly(300))]
    const [own, dearer] = [await withFile(cheap), await withFile(dear)]
    const options = { upgrade_price_ids: [dear.products_price_id] }
    ok(await tenant.api.put(`/products/variants/${cheap.variant_id}/change_options`, { products_variant: options }))
    const { order_id } = await shop.buys(cheap)
    const { line_items } = await shop.order(order_id)
    const orders_line_items_change = { products_price_id: dear.products_price_id, effective_time: 'next_renewal' }
    ok(await tenant.api.post(`/orders/line_items/${line_items[0].id}/changes/perform`, { orders_line_items_change }))
    expect([await isOpen(order_id, own), await isOpen(order_id, dearer)]).to.deep.equal([true, false])
    await shop.passes(32)
    member = await signedIn(service, tenant, BUYER)
    expect([await isOpen(order_id, own), await isOpen(order_id, dearer)]).to.deep.equal([false, true])
  })

  it('of what is paid once stay, whatever becomes of the subscription beside it', async () => {
    const [once, recurring] = [await shop.sells({ amount: 50 }), await shop.sells(monthly(10))]
    const [kept, ending] = [await withFile(once), await withFile(recurring)]
    const line_items_attributes = [once, recurring].map((line) => ({ ...line, quantity: 1 }))
    const { order_id } = await shop.buys(once, { line_items_attributes })
    const both = async () => [await isOpen(order_id, kept), await isOpen(order_id, ending)]
    expect(await both()).to.deep.equal([true, true])
    await shop.passes(32)
    member = await signedIn(service, tenant, BUYER)
    const renewal = (await shop.transactions(order_id)).at(-1)
    ok(await tenant.api.post(`/orders/transactions/${renewal.id}/refund`))
    expect(await both()).to.deep.equal([true, false])
    ok(await tenant.api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'now' } }))
    expect(await both()).to.deep.equal([true, false])
  })

  it('are closed while what was paid is disputed, void or open again, and a newer invoice that is unpaid opens nothing', async () => {
    const line = await shop.sells({ amount: 20 })
    const file = await withFile(line)
    const order = await external(line)
    const invoice = await bill(order, { external_id: 'first', ...PAID })
    for (const status of ['refunded', 'disputed', 'voided', 'unpaid', 'past-due']) {
      expect(await isOpen(order, file), `before ${status}`).to.equal(true)
      await restate(invoice, { status })
      expect(await isOpen(order, file), status).to.equal(false)
      if (status === 'refunded') await bill(order, { external_id: 'second', status: 'unpaid' })
      expect(await isOpen(order, file), status).to.equal(false)
      await restate(invoice, PAID)
    }
  })

  it('are all of the workspace where a variant says so', async () => {
    const line = await shop.sells({ amount: 20 })
    const files = [await withFile(await shop.sells({ amount: 1 })), await recordMakers.download!.make(tenant)]
    const foreign = await recordMakers.download!.make(await service.tenant({ test: true }))
    const products_variant = { has_access_to_all_valid_assets: true }
    ok(await tenant.api.put(`/products/variants/${line.variant_id}`, { products_variant }))
    const { order_id } = await shop.buys(line)
    const later = await recordMakers.download!.make(tenant)
    for (const file of [...files, later]) expect(await isOpen(order_id, file)).to.equal(true)
    expect(await isOpen(order_id, foreign)).to.equal(false)
  })

  it('of an order that was never paid are not shown', async () => {
    const line = await shop.sells({ amount: 20 })
    const file = await withFile(line)
    const order = await external(line)
    await bill(order, { external_id: 'open', status: 'unpaid' })
    expect(await isOpen(order, file)).to.equal(false)
  })
})
