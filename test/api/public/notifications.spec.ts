import { randomBytes } from 'node:crypto'
import { once } from 'node:events'
import { type IncomingMessage, request } from 'node:http'
import { expect } from 'chai'
import { type Tenant, type TestService, testService } from '../../support/service.ts'
import { stripeEvent as event, sendNotification, signed, stripeAccount } from '../../support/traffic/payment-traffic.ts'

const TOLERANCE_MS = 300_000

/** Headers with a time, but without a signature that could be right. */
const withoutSignature = (body: string): readonly string[] => {
  const [time] = signed(body, 'whsec_any').split(',')
  return [time!, `${time},v1`, `${time},v1=`, `${time},v1=abc`, `${time},v0=${'a'.repeat(64)}`, `v1=${'a'.repeat(64)}`]
}

/** Announces a body, sends none of it, and returns the status of the answer. */
const statusWithoutBody = async (publicUrl: string, account: number, signature: string): Promise<number> => {
  const asked = request(`${publicUrl}/payments/gateway_accounts/${account}/notifications`, {
    method: 'POST',
    headers: { 'Content-Length': 500_000, 'Stripe-Signature': signature },
  })
  asked.flushHeaders()
  asked.on('error', () => undefined)
  const [answer] = (await once(asked, 'response')) as [IncomingMessage]
  asked.destroy()
  return answer.statusCode!
}

describe('notifications of gateways', () => {
  const secret = `whsec_${randomBytes(12).toString('hex')}`
  let service: TestService
  let tenant: Tenant
  let account: number
  before(async () => {
    service = await testService()
    tenant = await service.tenant()
    account = await stripeAccount(tenant, secret)
  })

  const send = (body: string | Buffer, signature: string, to = account) =>
    sendNotification(service, to, body, signature)
  const kept = async (): Promise<readonly { readonly type: string; readonly data: Record<string, unknown> }[]> => {
    const all = []
    for await (const { type, data } of service.background.stores.log.readAll())
      if (data.event_id !== undefined && data.gateway_account_id === account) all.push({ type, data })
    return all
  }
  const keptBy = async (body: string) => {
    const before = (await kept()).length
    expect(await send(body, signed(body, secret)), body).to.equal(204)
    return (await kept()).slice(before)
  }
  const refund = (id?: string) =>
    event('charge.refunded', { payment_intent: 'pi_1', amount_refunded: 1250, currency: 'usd' }, id)

  it('are stored in our terms', async () => {
    const [refunded] = await keptBy(refund())
    expect(refunded?.type).to.equal('GatewayRefunded')
    expect(refunded?.data).to.include({ external_id: 'pi_1', amount: '12.50', currency: 'USD' })
    const yen = { payment_intent: { id: 'pi_2' }, amount_refunded: 900, currency: 'jpy' }
    const [inYen] = await keptBy(event('charge.refunded', yen))
    expect(inYen?.data).to.include({ external_id: 'pi_2', amount: '900', currency: 'JPY' })
    expect(await keptBy(event('customer.updated', { id: 'cus_1' }))).to.deep.equal([])
    for (const wrong of [
      { payment_intent: null },
      { amount_refunded: -1 },
      { amount_refunded: 1.5 },
      { currency: 'USD' },
    ])
      expect(await keptBy(event('charge.refunded', { ...yen, ...wrong })), JSON.stringify(wrong)).to.deep.equal([])
  })

  it('are stored once when they are repeated, also at the same time', async () => {
    const before = (await kept()).length
    const body = refund('evt_again')
    const answers = await Promise.all(Array.from({ length: 8 }, () => send(body, signed(body, secret))))
    answers.push(await send(body, signed(body, secret)))
    expect(new Set(answers)).to.deep.equal(new Set([204]))
    expect(await kept()).to.have.length(before + 1)
  })

  it('are refused, and nothing is stored, when the signature does not match the exact bytes', async () => {
    const before = (await kept()).length
    const body = refund()
    const wrong: readonly (readonly [string | Buffer, string])[] = [
      [body, ''],
      [body, 'nonsense'],
      [body, signed(body, 'whsec_of_another')],
      [body, signed(body, secret, Date.now() - TOLERANCE_MS - 2000)],
      [body, signed(body, secret, Date.now() + TOLERANCE_MS + 2000)],
      ...withoutSignature(body).map((signature) => [body, signature] as const),
      [JSON.stringify(JSON.parse(body)), signed(body, secret)],
      [body.replace('1250', '1'), signed(body, secret)],
      [Buffer.concat([Buffer.from(body), Buffer.from([0xff])]), signed(body, secret)],
    ]
    for (const [sent, signature] of wrong) expect(await send(sent, signature), signature).to.equal(400)
    expect(await send('x'.repeat(513 * 1024), signed('x', secret))).to.equal(413)
    expect(await kept()).to.have.length(before)
  })

  it('are taken within five minutes of their signing, by any clock, and with any of several signatures', async () => {
    const before = (await kept()).length
    const other = 'a'.repeat(64)
    for (const [index, at] of [Date.now() - TOLERANCE_MS + 5000, Date.now() + TOLERANCE_MS - 5000].entries()) {
      const body = refund(`evt_clock_${index}`)
      const [time, signature] = signed(body, secret, at).split(',')
      const header = `${time},v1=${other},v1,v0=${other},${signature}`
      expect(await send(body, index === 0 ? header : `${time},${signature}`)).to.equal(204)
    }
    expect(await kept()).to.have.length(before + 2)
  })

  it('are refused before their body is read when the header has no recent signature', async () => {
    for (const signature of ['', ...withoutSignature('{}'), signed('{}', secret, Date.now() - 3_600_000)]) {
      const answer = await statusWithoutBody(service.publicUrl, account, signature)
      expect(answer, signature).to.equal(400)
    }
  })

  it('are refused as malformed when the signed body is no event', async () => {
    for (const body of ['', 'null', '[]', '{}', '"text"', '{"type":"charge.refunded"}', 'not JSON'])
      expect(await send(body, signed(body, secret)), body).to.equal(400)
  })

  it('are answered with 404 when nothing can verify them', async () => {
    const body = refund()
    const without = await stripeAccount(tenant, null)
    const path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
    const made = await tenant.api.post(path, { payments_gateway_account: { name: 'Test', provider: 'simulator' } })
    const simulated = made.body.id as number
    for (const id of [without, simulated, 999_999_999]) expect(await send(body, signed(body, secret), id)).to.equal(404)
  })
})
