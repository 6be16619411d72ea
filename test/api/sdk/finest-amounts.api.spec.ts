import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type GatewayShops, ON_STRIPE, openGatewayShops } from '../../support/sdk-gateways.ts'
import { line } from '../../support/sdk-shop.ts'
import type { Tenant } from '../../support/service.ts'

describe('prices in currencies of three decimals, of which Stripe charges two', () => {
  let shops: GatewayShops
  let inDinars: Tenant
  before(async () => {
    shops = await openGatewayShops()
    inDinars = await shops.service.tenant({ currency: 'KWD' })
  })
  after(() => shops.close())

  it('are refused once there is an account with Stripe, new ones and changed ones, and so is a total from before', async () => {
    const { api } = inDinars
    const at = await shops.shopOver(undefined, '18.605', inDinars)
    const account = await shops.open(ON_STRIPE, inDinars)
    const checkout = { enabled: true, gateway_account_id: account }
    ok(await api.put(`/funnels/${at.shop.funnel.id}/checkout`, { checkout }))

    const says = [422, 'Request unprocessable: Amount can have at most 2 decimals, which is all that Stripe charges']
    const answered = async (answer: Promise<{ status: number; body: { error?: string } }>) => {
      const { status, body } = await answer
      return [status, body.error]
    }
    const price = (amount: string) => ({ products_price: { amount } })
    const prices = `/products/variants/${at.mug.variantId}/prices`
    expect(await answered(api.post(prices, price('18.615')))).to.deep.equal(says)
    expect(await answered(api.put(`/products/prices/${at.mug.priceId}`, price('18.615')))).to.deep.equal(says)

    const charged = shops.stripe.charges.length
    const buying = await at.shop.arrives(at.shop.pages[0]!)
    const paid = await buying.pay([line(at.mug)], { card: `pm_${randomUUID()}` })
    const [error] = paid.body.state?.errors ?? paid.body.errors ?? []
    expect(error?.message, JSON.stringify(paid.body)).to.include('at most 2 decimals in KWD')
    expect(shops.stripe.charges).to.have.length(charged)
    expect(await at.shop.orders()).to.deep.equal([])

    ok(await api.put(`/products/prices/${at.mug.priceId}`, price('18.610')))
    const again = await shops.buys(at, `pm_${randomUUID()}`)
    expect((await again.outcome()).body.status).to.equal('paid')
    expect(shops.stripe.charges.at(-1)).to.include({ amount: 18_610, currency: 'kwd' })
  })
})
