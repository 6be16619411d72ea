import { randomBytes } from 'node:crypto'
import Stripe from 'stripe'
import { ask, within } from '../../../domain/kernel/decide/ask.ts'
import { orders } from '../../../domain/orders/public.ts'
import { transaction } from '../../../domain/orders/transaction/model.ts'
import { ok } from '../client.ts'
import { nextId } from '../next-id.ts'
import type { Tenant, TestService } from '../service.ts'
import { executeCommand, idOrThrow } from './discounts.ts'
import { shopOf } from './shop.ts'

/** The Stripe-Signature header for a payload. */
export const signed = (payload: string, secret: string, at = Date.now()): string =>
  Stripe.webhooks.generateTestHeaderString({ payload, secret, timestamp: Math.floor(at / 1000) })

/** A Stripe event, formatted as Stripe does, with characters outside ASCII. */
export const stripeEvent = (type: string, object: object, id = `evt_${randomBytes(6).toString('hex')}`): string =>
  JSON.stringify({ id, object: 'event', type, data: { object: { ...object, description: 'Žluťoučký 🐎' } } }, null, 2)

/** Sends a notification to a payment account. @returns the status of the answer */
export const sendNotification = async (
  { publicUrl }: Pick<TestService, 'publicUrl'>,
  account: number,
  body: string | Buffer,
  signature: string,
): Promise<number> => {
  const url = `${publicUrl}/payments/gateway_accounts/${account}/notifications`
  const headers = { 'Content-Type': 'application/json', 'Stripe-Signature': signature }
  return (await fetch(url, { method: 'POST', body, headers })).status
}

/** Creates a Stripe account. @returns its id */
export const stripeAccount = async (tenant: Tenant, webhook_secret: string | null): Promise<number> => {
  const fields = { name: 'Main', provider: 'stripe', secret_key: 'sk_test_0123456789', webhook_secret }
  const path = `/workspaces/${tenant.workspaceId}/payments/gateway_accounts`
  return ok(await tenant.api.post(path, { payments_gateway_account: fields })).id
}

/**
 * A charge of a subscription is refunded at the gateway, in part and then whole, and the last refund fails afterwards. Policies
 * record this.
 */
const refundedAtGateway = async (service: TestService, tenant: Tenant): Promise<void> => {
  const shop = await shopOf(tenant)
  const monthly = await shop.sells({ amount: '12.50', payment_type: 'subscription', interval: 'months' })
  const { order_id } = await shop.buys(monthly)
  const [sale] = await shop.transactions(order_id)
  const { ids } = service.background.core
  const execute = executeCommand(service, tenant)
  const place = within(orders, order_id, transaction)
  for (const told of ['5.00', '12.50']) {
    const refund_id = await nextId(ids, transaction)
    const wanted = { external_id: `evt_told_${told}`, refund_id, told, reason: null }
    idOrThrow(await execute(ask(place, sale.id, 'recordRefund', wanted)))
  }
  idOrThrow(await execute(ask(place, sale.id, 'reverseRefund', { external_id: 're_told', amount: '7.50' })))
}

/** The gateway tells of a payment that no order has, and somebody sees to it. */
const unknownPaymentSettled = async (service: TestService, tenant: Tenant, account: number, secret: string) => {
  const paid = {
    id: 'pi_unknown',
    object: 'payment_intent',
    status: 'succeeded',
    amount_received: 1250,
    currency: 'usd',
  }
  const body = stripeEvent('payment_intent.succeeded', paid)
  await sendNotification(service, account, body, signed(body, secret))
  const [found] = ok(await tenant.api.get(`/workspaces/${tenant.workspaceId}/payments/unknown_payments`))
  const { status } = await tenant.api.delete(`/payments/unknown_payments/${found.id}`)
  if (status !== 204) throw new Error(`an unknown payment could not be settled: ${status}`)
}

/** Notifications that a gateway sends unasked. */
export const notificationTraffic = async (service: TestService, tenant: Tenant): Promise<void> => {
  const secret = `whsec_${randomBytes(12).toString('hex')}`
  const account = await stripeAccount(tenant, secret)
  const object = { payment_intent: 'pi_told', amount_refunded: 1250, currency: 'usd' }
  const failed = {
    id: 're_told',
    object: 'refund',
    status: 'failed',
    payment_intent: 'pi_told',
    amount: 1250,
    currency: 'usd',
  }
  for (const body of [stripeEvent('charge.refunded', object), stripeEvent('refund.failed', failed)]) {
    const status = await sendNotification(service, account, body, signed(body, secret))
    if (status !== 204) throw new Error(`a notification was answered with ${status}`)
  }
  await unknownPaymentSettled(service, tenant, account, secret)
  await refundedAtGateway(service, tenant)
}
