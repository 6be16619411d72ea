import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import { ok } from './client.ts'
import type { Tenant, TestService } from './service.ts'

/** What a gateway would tell, signed as it signs. */
export const signed = (payload: string, secret: string, at = Date.now()): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })

/** An event of Stripe, laid out as it sends them, with what is not of ASCII. */
export const stripeEvent = (type: string, object: object, id = `evt_${randomBytes(6).toString('hex')}`): string =>
  JSON.stringify({ id, object: 'event', type, data: { object: { ...object, description: 'Žluťoučký 🐎' } } }, null, 2)

/** Tells an account something; gives the status of the answer. */
export const tell = async (
  { publicUrl }: Pick<TestService, 'publicUrl'>,
  account: number,
  body: string | Buffer,
  signature: string,
): Promise<number> => {
  const url = `${publicUrl}/payments/gateway_accounts/${account}/notifications`
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
  return (await fetch(url, { method: 'POST', body, headers })).status
}

/** An account with Stripe. */
export const stripeAccount = async (tenant: Tenant, webhook_secret: string | null): Promise<number> => {
  const fields = { name: 'Main', provider: 'stripe', secret_key: 'sk_test_0123456789', webhook_secret }
  const path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
  return ok(await tenant.api.post(path, { payments_gateway_account: fields })).id
}

/** Everything that a gateway tells by itself. */
export const notificationTraffic = async (service: TestService, tenant: Tenant): Promise<void> => {
  const secret = `whsec_${randomBytes(12).toString('hex')}`
  const account = await stripeAccount(tenant, secret)
  const sum = { currency: 'usd', amount: 1250 }
  const told = [
    stripeEvent('charge.refunded', { payment_intent: 'pi_told', amount_refunded: 1250, currency: 'usd' }),
    stripeEvent('charge.dispute.created', { ...sum, payment_intent: 'pi_told', reason: 'fraudulent' }),
    stripeEvent('payment_intent.succeeded', { ...sum, id: 'pi_told', last_payment_error: null }),
  ]
  for (const body of told) {
    const status = await tell(service, account, body, signed(body, secret))
    if (status !== 204) throw new Error(`a notification was answered with ${status}`)
  }
}
