import { randomBytes } from 'node:crypto'
import { expect } from 'chai'
import { keyOfWorkspace } from '../../../domain/kernel/model/personal.ts'
import { type Tenant, type TestService, testService } from '../../support/service.ts'

describe('accounts with gateways over REST', () => {
  let service: TestService
  let tenant: Tenant
  let path: string
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
  })

  const open = (fields: object) => tenant.api.post(path, { payments_gateway_account: { name: 'Main', ...fields } })
  const change = (id: number, fields: object) =>
    tenant.api.put(`/payments/gateway_accounts/${id}`, { payments_gateway_account: fields })
  const refused = async (fields: object) => {
    const { status, body } = await open(fields)
    return [status, body.details?.map(({ field }: { field: string }) => field.split('.').at(-1))]
  }
  const logged = async (): Promise<string> => {
    let text = ''
    for await (const event of service.background.stores.log.readAll()) text += JSON.stringify(event)
    return text
  }

  it('keep their keys sealed, and show the last four characters', async () => {
    const [secret_key, webhook_secret, next] = ['sk_test_', 'whsec_', 'sk_test_'].map(
      (start) => start + randomBytes(12).toString('hex'),
    ) as [string, string, string]
    const { status, body } = await open({ provider: 'stripe', secret_key, webhook_secret })
    expect(status, JSON.stringify(body)).to.equal(201)
    expect(body).to.include({ provider: 'stripe', live_mode: false, secret_key_last4: secret_key.slice(-4) })
    expect(body.webhook_secret_last4).to.equal(webhook_secret.slice(-4))
    const changed = await change(body.id, { secret_key: next, provider: 'stripe' })
    expect(changed.body).to.include({
      secret_key_last4: next.slice(-4),
      webhook_secret_last4: webhook_secret.slice(-4),
    })
    const { readModels, vault } = service.background.stores
    const document = await readModels.live.get('payments/gateway_account', body.id)
    const kept = JSON.stringify([document, (await tenant.api.get(path)).body, await logged()])
    for (const key of [secret_key, webhook_secret, next]) expect(kept).not.to.include(key)
    const { sealed } = document!.secret_key as { sealed: string }
    expect(await vault.open(keyOfWorkspace(tenant.workspaceId), sealed)).to.deep.equal({ key: next })
    const cleared = await change(body.id, { webhook_secret: null })
    expect(cleared.body).to.include({ secret_key_last4: next.slice(-4), webhook_secret_last4: null })
  })

  it('are refused where they cannot be right', async () => {
    const secret_key = 'sk_live_0123456789abcdef'
    expect(await refused({ provider: 'stripe', secret_key })).to.deep.equal([422, ['live_mode']])
    expect(await refused({ provider: 'stripe', secret_key: 'short' })).to.deep.equal([422, ['secret_key']])
    expect(await refused({ provider: 'stripe', live_mode: true, secret_key: 'sk_test_0123456789' })).to.deep.equal([
      422,
      ['live_mode'],
    ])
    expect(await refused({ provider: 'simulator', live_mode: true })).to.deep.equal([422, ['live_mode']])
    expect(await refused({ provider: 'paypal' })).to.deep.equal([422, ['provider']])
    expect((await open({ provider: 'stripe', live_mode: true, secret_key })).status).to.equal(201)
    expect((await open({ provider: 'simulator' })).status).to.equal(201)
  })

  it('are gone when they are removed', async () => {
    const { body } = await open({ provider: 'simulator' })
    expect((await tenant.api.delete(`/payments/gateway_accounts/${body.id}`)).status).to.equal(204)
    expect((await tenant.api.get(`/payments/gateway_accounts/${body.id}`)).status).to.equal(404)
  })
})
