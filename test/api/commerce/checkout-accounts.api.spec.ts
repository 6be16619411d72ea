import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { refundsOfGatewaysAreRecorded } from '../../../domain/orders/billing/gateway-refunds.ts'
import { ok } from '../../support/client.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, WEBSITE } from '../../support/payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY } from '../../support/payments/stripe-double.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'
import { sendNotification, signed, stripeEvent } from '../../support/traffic/payment-traffic.ts'
import { type OnSale, type Shop, shopOf } from '../../support/traffic/shop.ts'
import { unbound } from '../../support/unbound.ts'

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
    const { order_id, status, failure_reason } = await shop.buys(monthly, paying(account, `pm_${randomUUID()}`))
    expect([status, failure_reason]).to.deep.equal(['completed', null])
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
    const { status, order_id, failure_reason } = await shop.buys(once, paying(await withStripe(), 'pm_insufficient'))
    expect([status, order_id]).to.deep.equal(['compensated', null])
    expect(failure_reason).to.include('insufficient_funds')
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
    expect(await refused(null, true)).to.deep.equal([422, 'checkout.live_mode'])
    expect(await refused(theirs, false)).to.deep.equal([422, 'checkout.gateway_account_id'])
    expect(await refused(999_999_999, false)).to.deep.equal([422, 'checkout.gateway_account_id'])
  })

  it('prevent the removal of their account during a subscription', async () => {
    const account = await open({ provider: 'simulator' })
    const { order_id } = await shop.buys(monthly, { gateway_account_id: account })
    expect(await shop.order(order_id)).to.include({ payment_processor: 'simulator', service_status: 'active' })
    const { status, body } = await remove(account)
    expect([status, body.details[0].field]).to.deep.equal([422, 'base'])
    ok(await tenant.api.post(`/orders/${order_id}/cancel`, { order: { effective_date: 'now' } }))
    expect((await remove(account)).status).to.equal(204)
  })

  it('do not prevent the removal of an account that was used for one-time purchases', async () => {
    const account = await open({ provider: 'simulator' })
    await shop.buys(once, { gateway_account_id: account })
    expect((await remove(account)).status).to.equal(204)
  })

  describe('with refunds made at the gateway itself', () => {
    const secret = `whsec_${randomUUID()}`
    let account: number
    before(async () => {
      account = await open({ provider: 'stripe', secret_key: STRIPE_KEY, webhook_secret: secret })
    })

    const buys = async (): Promise<number> =>
      (await shop.buys(once, paying(account, `pm_${randomUUID()}`))).order_id as number
    const told = async (payment_intent: string, amount_refunded: number, more: object = {}, to = account) => {
      const body = stripeEvent('charge.refunded', { payment_intent, amount_refunded, currency: 'usd', ...more })
      for (const _ of [1, 2]) expect(await sendNotification(service, to, body, signed(body, secret))).to.equal(204)
    }
    /** The sale, its refunds and the billing status of the order, after all processes have ended. */
    const books = async (orderId: number) => {
      await shop.passes(1)
      const all = await shop.transactions(orderId)
      const sale = all.find(({ external_type }) => external_type === 'sale')
      const back = all.filter(({ adjusted_transaction_id }) => adjusted_transaction_id === String(sale.id))
      const { billing_status } = await shop.order(orderId)
      return { id: sale.id, is: [sale.status, billing_status, back.map(({ amount }) => amount)] }
    }
    const chargeOf = async (orderId: number): Promise<string> => (await shop.transactions(orderId))[0].external_id

    it('records parts, each for the difference, and then the rest', async () => {
      const orderId = await buys()
      const charge = await chargeOf(orderId)
      await told(charge, 500)
      expect((await books(orderId)).is).to.deep.equal(['partially-refunded', 'paid', ['5.00']])
      await told(charge, 400)
      await told(charge, 700)
      expect((await books(orderId)).is).to.deep.equal(['partially-refunded', 'paid', ['5.00', '2.00']])
      await told(charge, 1250)
      expect((await books(orderId)).is).to.deep.equal(['refunded', 'refunded', ['5.00', '2.00', '5.50']])
      const [invoice] = await shop.invoices(orderId)
      expect(invoice.status).to.equal('refunded')
    })

    it('refunds the rest', async () => {
      const orderId = await buys()
      await told(await chargeOf(orderId), 500)
      const { id } = await books(orderId)
      await tenant.api.post(`/orders/transactions/${id}/refund`)
      expect((await books(orderId)).is).to.deep.equal(['refunded', 'refunded', ['5.00', '7.50']])
      expect(stripe.refunds.at(-1)?.amount).to.equal(750)
    })

    it('does not record our own refund twice, in either order', async () => {
      const orderId = await buys()
      const charge = await chargeOf(orderId)
      const { id } = await books(orderId)
      await Promise.all([tenant.api.post(`/orders/transactions/${id}/refund`), told(charge, 1250)])
      expect((await books(orderId)).is).to.deep.equal(['refunded', 'refunded', ['12.50']])
      await told(charge, 1250)
      expect((await books(orderId)).is).to.deep.equal(['refunded', 'refunded', ['12.50']])
    })

    it('records nothing from another account, or in another currency', async () => {
      const orderId = await buys()
      const charge = await chargeOf(orderId)
      const other = await open({ provider: 'stripe', secret_key: STRIPE_KEY, webhook_secret: secret })
      await told(charge, 500, {}, other)
      await told(charge, 500, { currency: 'eur' })
      expect((await books(orderId)).is).to.deep.equal(['completed', 'paid', []])
    })

    it('records a notification that arrived before the charge was recorded', async () => {
      const [last] = stripe.charges.slice(-1)
      const count = Number(last!.id.replace('pi_', ''))
      for (let ahead = 1; ahead < 8; ahead++) await told(`pi_${count + ahead}`, 300)
      expect((await books(await buys())).is).to.deep.equal(['partially-refunded', 'paid', ['3.00']])
    })

    it('reads as many documents however many notifications of a charge came before', async () => {
      const external_id = await chargeOf(await buys())
      const { live } = service.background.stores.readModels
      const documentsRead = async () => {
        await service.caughtUp()
        let read = 0
        const counting = unbound({
          get: (...asked) => live.get(...asked),
          getMany: (...asked) => live.getMany(...asked),
          find: async (...asked) => {
            const found = await live.find(...asked)
            read += found.length
            return found
          },
        })
        const event = { data: { external_id } } as unknown as RecordedEvent
        const asked = await refundsOfGatewaysAreRecorded.react(event, counting, () => 1)
        expect(asked).to.have.length(1)
        const [told] = asked.flatMap((one) => ('command' in one ? [one.command.wanted?.told] : []))
        return { read, told }
      }
      await told(external_id, 999)
      const { read } = await documentsRead()
      for (let cents = 1000; cents < 1040; cents++) await told(external_id, cents)
      expect(await documentsRead()).to.deep.equal({ read, told: '10.39' })
    })
  })
})
