import { expect } from 'chai'
import { ok } from '../../support/client.ts'
import { type Tenant, testService } from '../../support/service.ts'

describe('PUT /funnels/{id}/checkout', () => {
  let tenant: Tenant
  let path: string
  let funnelId: number

  before(async () => {
    tenant = await (await testService()).tenant()
  })
  beforeEach(async () => {
    const made = await tenant.api.post(`/workspaces/${tenant.workspaceId}/funnels`, { funnel: { name: 'Mugs' } })
    funnelId = ok(made).id
    path = `/funnels/${funnelId}/checkout`
  })

  const account = async ({ api, workspaceId }: Tenant, live_mode: boolean): Promise<number> => {
    const secret_key = `sk_${live_mode ? 'live' : 'test'}_0123456789`
    const fields = { name: 'Main', provider: 'stripe', secret_key, live_mode }
    const accounts = `/workspaces/${workspaceId}/payments/gateway_accounts`
    return ok(await api.post(accounts, { payments_gateway_account: fields })).id
  }
  const put = (checkout: object) => tenant.api.put(path, { checkout })
  const goLive = async () => ok(await tenant.api.put(`/funnels/${funnelId}`, { funnel: { live_mode: true } }))

  it('is off until it is set, and sells over the simulator in test mode', async () => {
    const off = { enabled: false, gateway_account_id: null, offer_minutes: 30, gateway: null }
    expect(ok(await tenant.api.get(path))).to.deep.equal(off)
    const on = { ...off, enabled: true, gateway: 'simulator' }
    expect(ok(await put({ enabled: true }))).to.deep.equal(on)
    expect(ok(await put({ offer_minutes: 5 }))).to.deep.equal({ ...on, offer_minutes: 5 })
    expect(ok(await tenant.api.get(path))).to.deep.equal({ ...on, offer_minutes: 5 })
  })

  it('needs a live account on a live funnel, and takes none of another workspace', async () => {
    const [test, live] = [await account(tenant, false), await account(tenant, true)]
    expect(ok(await put({ enabled: true, gateway_account_id: live })).gateway).to.equal('simulator')
    await goLive()
    expect(ok(await tenant.api.get(path)).gateway).to.equal('stripe')
    for (const gateway_account_id of [test, null]) {
      const { status, body } = await put({ gateway_account_id })
      expect([status, body.details[0].field]).to.deep.equal([422, 'checkout.gateway_account_id'])
    }
    const other = await (await testService()).tenant()
    const foreign = await put({ gateway_account_id: await account(other, true) })
    expect([foreign.status, foreign.body.details[0].code]).to.deep.equal([422, 'not_found'])
  })

  it('sells nothing any more when its account is taken away', async () => {
    const live = await account(tenant, true)
    ok(await put({ enabled: true, gateway_account_id: live }))
    await goLive()
    ok(await tenant.api.delete(`/payments/gateway_accounts/${live}`))
    for (;;) {
      const { gateway_account_id, gateway } = ok(await tenant.api.get(path))
      if (gateway_account_id !== null) continue
      expect(gateway).to.equal(null)
      break
    }
  })
})
