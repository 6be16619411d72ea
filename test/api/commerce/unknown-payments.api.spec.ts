import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import { type GatewayShops, ON_STRIPE, openGatewayShops } from '../../support/sdk-gateways.ts'

describe('payments that a gateway tells of and nobody knows', () => {
  let shops: GatewayShops
  let account: number
  before(async () => {
    shops = await openGatewayShops()
    account = await shops.open(ON_STRIPE)
  })
  after(() => shops.close())

  const paid = (id: string, more: object = {}) => ({
    ...{ id, object: 'payment_intent', status: 'succeeded', amount_received: 1250, currency: 'usd' },
    ...more,
  })
  const tells = async (object: object, type = 'payment_intent.succeeded') => {
    await shops.notify(account, type, object)
    await shops.service.caughtUp()
  }
  const listed = async (): Promise<readonly Record<string, unknown>[]> => {
    const { status, body } = await shops.tenant.api.get(
      `/workspaces/${shops.tenant.workspaceId}/payments/unknown_payments`,
    )
    expect(status, JSON.stringify(body)).to.equal(200)
    return body
  }

  it('are kept once, and shown to the owner until somebody has seen to them', async () => {
    await tells(paid('pi_elsewhere'))
    await tells(paid('pi_elsewhere'))
    await tells(paid('pi_in_yen', { amount_received: 900, currency: 'jpy' }))
    const [first, second, ...others] = await listed()
    expect(others).to.deep.equal([])
    expect(first).to.include({
      external_id: 'pi_elsewhere',
      amount: '12.50',
      currency: 'USD',
      gateway_account_id: account,
    })
    expect(second).to.include({ external_id: 'pi_in_yen', amount: '900', currency: 'JPY' })
    expect((await shops.tenant.api.delete(`/payments/unknown_payments/${second!.id}`)).status).to.equal(204)
    expect((await listed()).map(({ external_id }) => external_id)).to.deep.equal(['pi_elsewhere'])
    await tells(paid('pi_in_yen', { amount_received: 900, currency: 'jpy' }))
    expect(await listed(), 'told again').to.have.length(1)
  })

  it('are none once the gateway has told that all of it was given back', async () => {
    const given = (amount_refunded: number) => ({ payment_intent: 'pi_elsewhere', amount_refunded, currency: 'usd' })
    await tells(given(500), 'charge.refunded')
    expect(await listed()).to.have.length(1)
    await tells(given(1250), 'charge.refunded')
    expect(await listed()).to.deep.equal([])
  })

  it('are none of ours, however early the gateway tells of them, nor what was not paid', async () => {
    const at = await shops.shopOver(account)
    const buying = await shops.buys(at, `pm_${randomUUID()}`)
    expect((await buying.outcome()).body.status).to.equal('paid')
    const { id } = shops.stripe.charges.at(-1)!
    await tells(paid(id))
    for (const more of [{ status: 'processing' }, { amount_received: 0 }, { currency: 'nothing' }])
      await tells(paid(`pi_${randomUUID()}`, more))
    await tells(paid('pi_refused'), 'payment_intent.payment_failed')
    expect(await listed()).to.deep.equal([])
  })
})
