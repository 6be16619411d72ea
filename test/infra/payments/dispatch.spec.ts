import { randomUUID } from 'node:crypto'
import { expect } from 'chai'
import type { Adapter } from '../../../domain/kernel/ports/calls.ts'
import {
  type ChargeAnswer,
  type ChargeRequest,
  charging,
  type RefundAnswer,
  type RefundRequest,
  refunding,
  type SaveAnswer,
  type SaveRequest,
  SIMULATOR,
  saving,
} from '../../../domain/payments/public.ts'
import { ORGANIZATION, openRebillyDouble, REBILLY_KEY, WEBSITE } from '../../support/payments/rebilly-double.ts'
import { openStripeDouble, STRIPE_KEY } from '../../support/payments/stripe-double.ts'
import { startTestService, type Tenant, type TestService } from '../../support/service.ts'

describe('calls to the gateway of an account', () => {
  const { signal } = new AbortController()
  let stripe: Awaited<ReturnType<typeof openStripeDouble>>
  let rebilly: Awaited<ReturnType<typeof openRebillyDouble>>
  let service: TestService
  let tenant: Tenant
  before(async () => {
    stripe = await openStripeDouble()
    rebilly = await openRebillyDouble()
    service = await startTestService({ MILLRACE_STRIPE_URL: stripe.url, MILLRACE_PAYMENTS_AI_URL: `${rebilly.url}/` })
    tenant = await service.tenant()
  })
  after(() => Promise.all([stripe.close(), rebilly.close()]))

  const calleeAt = <Request, Answer>({ name }: { readonly name: string }) =>
    service.background.core.adapters.get(name) as Required<Adapter<Request, Answer>>
  const open = async (fields: object): Promise<number> => {
    const path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
    const { status, body } = await tenant.api.post(path, { payments_gateway_account: { name: 'Main', ...fields } })
    expect(status, JSON.stringify(body)).to.equal(201)
    return body.id
  }
  /** Saves a payment method for an account, charges it, and refunds the charge. */
  const through = async (gateway_account_id: number, token: string) => {
    const account = { workspace_id: tenant.workspaceId, gateway_account_id }
    const save = { ...account, token, contact_id: 5, email_address: null }
    const saved = await calleeAt<SaveRequest, SaveAnswer>(saving).send(save, randomUUID(), signal)
    if (saved.came !== 'answered') return saved
    const { payment_method_id } = saved.answer
    const sum = { amount: '12.50', currency: 'USD' }
    const charge = { ...account, ...sum, payment_method_id, about: 'A shirt' }
    const charged = await calleeAt<ChargeRequest, ChargeAnswer>(charging).send(charge, randomUUID(), signal)
    if (charged.came !== 'answered') return charged
    const { external_id, result } = charged.answer
    expect(result).to.equal('approved')
    const refund = { ...account, ...sum, external_id, reason: 'Asked for' }
    const key = randomUUID()
    const refunded = await calleeAt<RefundRequest, RefundAnswer>(refunding).send(refund, key, signal)
    expect(await calleeAt<RefundRequest, RefundAnswer>(refunding).find(refund, key, signal)).to.deep.equal(refunded)
    return refunded
  }

  it('go to its URL, with its keys', async () => {
    const account = { provider: 'stripe', secret_key: STRIPE_KEY }
    expect(await through(await open(account), `pm_${randomUUID()}`)).to.include({ came: 'answered' })
    expect([stripe.charges[0]?.amount, stripe.refunds[0]?.amount]).to.deep.equal([1250, 1250])
    const where = { external_organization_id: ORGANIZATION, external_website_id: WEBSITE }
    const other = { provider: 'payments_ai', secret_key: REBILLY_KEY, ...where }
    expect((await through(await open(other), 'approved-1')).came).to.equal('answered')
    expect([rebilly.charges[0]?.amount, rebilly.refunds[0]?.amount]).to.deep.equal([12.5, 12.5])
  })

  it('go to the simulator over an account with it, and without one', async () => {
    const id = await open({ provider: 'simulator' })
    for (const account of [id, SIMULATOR]) expect((await through(account, 'approved')).came).to.equal('answered')
  })

  it('are not made over an account of another workspace, or one that is gone, and leave open what was done', async () => {
    const gone = await open({ provider: 'simulator' })
    expect((await tenant.api.delete(`/payments/gateway_accounts/${gone}`)).status).to.equal(204)
    const other = await service.tenant()
    const path = `/workspaces/${other.workspaceId}/payments/gateway_accounts`
    const sent = { payments_gateway_account: { name: 'Theirs', provider: 'simulator' } }
    const theirs = (await other.api.post(path, sent)).body.id
    for (const id of [gone, theirs]) {
      expect((await through(id, 'approved')).came).to.equal('failed')
      const save = { workspace_id: tenant.workspaceId, gateway_account_id: id, token: 'approved' }
      const request = { ...save, contact_id: 5, email_address: null }
      const found = await calleeAt<SaveRequest, SaveAnswer>(saving).find(request, randomUUID(), signal)
      expect(found.came).to.equal('unknown')
    }
  })
})
