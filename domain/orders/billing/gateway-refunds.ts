import { ask, within } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { policy } from '../../kernel/react/policy.ts'
import { gatewayNotification, refundFailure } from '../../payments/public.ts'
import { order } from '../order/model.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'

/**
 * Returns the notification that tells the most of a charge. Gateways may send thousands about one, so only this one is read,
 * except after a refund of the charge has failed.
 *
 * @param failedAt when a refund last failed: totals from before count the failed one
 */
const largestOf = async (
  read: FactReader,
  charge: Readonly<Record<'external_id' | 'currency', string>>,
  account: number,
  failedAt: string | null,
) => {
  const where = { ...charge, gateway_account_id: account }
  const sort = { by: 'minor_amount', descending: true }
  const found = await read.find(gatewayNotification.name, { where, sort, ...(failedAt === null && { limit: 1 }) })
  return found.find(({ created_at }) => failedAt === null || String(created_at) > failedAt)
}

const salesOf = async (read: FactReader, external_id: string) => {
  const found = await read.find(transaction.name, { where: { external_id } })
  const sales = found.filter((one) => one.external_type === 'sale')
  const parents = await read.getMany(
    'order',
    sales.map(({ order_id }) => Number(order_id)),
  )
  return sales.map((sale, index) => ({ sale, account: Number(parents[index]?.gateway_account_id ?? 0) }))
}

/**
 * Records refunds that were made at the gateway itself. The notification may arrive before the charge is recorded here,
 * so both events trigger the check.
 */
export const refundsOfGatewaysAreRecorded = policy({
  name: 'refunds-of-gateways-are-recorded',
  on: [gatewayNotification.model.event.GatewayRefunded, order.event.TransactionRecorded],
  async react({ data: { external_id } }, read, mint) {
    const [any] = await read.find(gatewayNotification.name, { where: { external_id }, limit: 1 })
    if (!any) return []
    const sales = await salesOf(read, external_id)
    const largest = await Promise.all(
      sales.map(({ sale: { currency, reversed_at }, account }) => {
        const failedAt = typeof reversed_at === 'string' ? reversed_at : null
        return largestOf(read, { external_id, currency: String(currency) }, account, failedAt)
      }),
    )
    return sales.flatMap(({ sale: { id, order_id } }, index) => {
      const found = largest[index]
      if (!found) return []
      return [
        ask(within(orders, Number(order_id), transaction), Number(id), 'recordRefund', {
          ...{ external_id: String(found.event_id), told: String(found.amount), reason: null },
          refund_id: mint(transaction),
        }),
      ]
    })
  },
})

/** Records that a refund failed at its gateway after it was made. */
export const refundsThatFailedAreReversed = policy({
  name: 'refunds-that-failed-are-reversed',
  on: [refundFailure.model.event.GatewayRefundFailed],
  async react({ data: { external_id, refund_id, amount, gateway_account_id } }, read) {
    return (await salesOf(read, external_id))
      .filter(({ account }) => account === gateway_account_id)
      .map(({ sale: { id, order_id } }) =>
        ask(within(orders, Number(order_id), transaction), Number(id), 'reverseRefund', {
          external_id: refund_id,
          amount,
        }),
      )
  },
})
