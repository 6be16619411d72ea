import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../support/client.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, WEBSITE } from '../support/payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY } from '../support/payments/stripe-double.ts'
import { startTestService, type Tenant, type TestService } from '../support/service.ts'
import { type OnSale, type Shop, shopOf } from '../support/shop.ts'

describe('checkouts over accounts with gateways', () => {
  let stripe: Awaited<ReturnType<typeof openStripeDouble>>
  let rebilly: Awaited<ReturnType<typeof openRebillyDouble>>
  let service: TestService
  let tenant: Tenant
  let shop: Shop
  let once: OnSale
  let monthly: OnSale
  before(async () => {
    stripe = await openStripeDouble()
    rebilly = await openRebillyDouble()
    service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url, MILLRACE_PAYMENTS_AI_URL: rebilly.url })
    tenant = await service.tenant({ test: true })
    shop = await shopOf(tenant)
    once = await shop.sells({ amount: '12.50' })
    monthly = await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'months' })
  })
  after(() => Promise.all([stripe.close(), rebilly.close()]))

  const open = async (fields: object, { api, workspaceId }: Tenant = tenant): Promise<number> => {
    const path = `/workspaces/${workspaceId}/payments/gateway_accounts`
    return ok(await api.post(path, { payments_gateway_account: { name: 'Main', ...fields } })).id
  }
  const withStripe = () => open({ provider: 'stripe', secret_key: STRIPE_KEY })
  const paying = (gateway_account_id: number, token: string) => ({
    ...{ gateway_account_id, payment_method_id: undefined, payment_method_token: token },
  })
  const charged = () => stripe.charges.map(({ amount }) => amount)
  const remove = (id: number) => tenant.api.delete(`/payments/gateway_accounts/${id}`)

  it('charge, renew and refund over the account that they name', async () => {
    const account = await withStripe()
    const { order_id, status, because } = await shop.buys(monthly, paying(account, `pm_${randomUUID()}`))
    expect([status, because]).to.deep.equal(['completed', null])
    expect(await shop.order(order_id)).to.include({ payment_processor: 'stripe', live_mode: false })
    expect(charged()).to.deep.equal([3000])
    await shop.passes(32)
    expect(charged()).to.deep.equal([3000, 3000])
    const transactions = await shop.transactions(order_id)
    expect(transactions.map(({ external_id }) => external_id)).to.have.members(stripe.charges.map(({ id }) => id))
    await tenant.api.post(`/orders/transactions/${transactions[0].id}/refund`)
    await shop.passes(1)
    expect(stripe.refunds.map(({ amount }) => amount)).to.deep.equal([3000])
    const [refunded] = (await shop.transactions(order_id)).filter(({ external_type }) => external_type === 'refund')
    expect(refunded).to.include({ external_id: stripe.refunds[0]!.id, amount: '30.00' })
  })

  it('charge over another gateway too', async () => {
    const where = { external_organization_id: ORGANIZATION, external_website_id: WEBSITE }
    const account = await open({ provider: 'payments_ai', secret_key: REBILLY_KEY, ...where })
    const { order_id } = await shop.buys(once, paying(account, 'approved-1'))
    expect(await shop.order(order_id)).to.include({ payment_processor: 'payments_ai', billing_status: 'paid' })
    expect(rebilly.charges.map(({ amount }) => amount)).to.deep.equal([12.5])
  })

  it('place no order when the gateway declines', async () => {
    const before = charged().length
    const { status, order_id, because } = await shop.buys(once, paying(await withStripe(), 'pm_insufficient'))
    expect([status, order_id]).to.deep.equal(['undone', null])
    expect(because).to.include('insufficient_funds')
    expect(charged()).to.have.length(before)
  })

  it('are refused over an account of another mode or workspace', async () => {
    const live = await open({ provider: 'stripe', live_mode: true, secret_key: 'sk_live_0123456789' })
    const test = await withStripe()
    const other = await service.tenant()
    const theirs = await open({ provider: 'simulator' }, other)
    const refused = async (gateway_account_id: number | null, live_mode: boolean) => {
      const checkout = { contact_id: shop.contactId, live_mode, gateway_account_id, payment_method_id: 'approved' }
      const line_items_attributes = [{ ...once, quantity: 1 }]
      const sent = { checkout: { ...checkout, line_items_attributes } }
      const { status, body } = await shop.api.post(`${shop.workspace}/checkouts`, sent)
      return [status, body.details[0].field]
    }
    expect(await refused(live, false)).to.deep.equal([422, 'checkout.live_mode'])
    expect(await refused(test, true)).to.deep.equal([422, 'checkout.live_mode'])
    expect(await refused(null, true)).to.deep.equal([422, 'checkout.gateway_account_id'])
    expect(await refused(theirs, false)).to.deep.equal([422, 'checkout.gateway_account_id'])
    expect(await refused(999_999_999, false)).to.deep.equal([422, 'checkout.gateway_account_id'])
  })

  it('keep their account while a subscription goes on', async () => {
    const account = await open({ provider: 'simulator' })
    const { order_id } = await shop.buys(monthly, { gateway_account_id: account })
    expect(await shop.order(order_id)).to.include({ payment_processor: 'simulator', service_status: 'active' })
    const { status, body } = await remove(account)
    expect([status, body.details[0].field]).to.deep.equal([422, 'id'])
    ok(await tenant.api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'now' } }))
    expect((await remove(account)).status).to.equal(204)
  })

  it('do not keep an account over which something was bought once', async () => {
    const account = await open({ provider: 'simulator' })
    await shop.buys(once, { gateway_account_id: account })
    expect((await remove(account)).status).to.equal(204)
  })
})
