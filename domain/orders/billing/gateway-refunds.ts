import { ask, within } from '../../kernel/decide/ask.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { policy } from '../../kernel/react/policy.ts'
import { minorOf } from '../../kernel/values/money.ts'
import { gatewayNotification, refundFailure } from '../../payments/public.ts'
import { order } from '../order/model.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'

const minor = ({ amount, currency }: Document): bigint => minorOf(String(amount), String(currency))

/** Sorts refund notifications of a charge by amount, largest first. */
const largestFirst = (notifications: readonly Document[]): readonly Document[] =>
  notifications.toSorted((a, b) => (minor(a) > minor(b) ? -1 : 1))

const byExternalId = (external_id: string) => ({ where: { external_id } })

/**
 * Records refunds that were made at the gateway itself. The notification may arrive before the charge is recorded here,
 * so both events trigger the check.
 */
export const refundsOfGatewaysAreRecorded = policy({
  name: 'refunds-of-gateways-are-recorded',
  on: [gatewayNotification.model.event.GatewayRefunded, order.event.TransactionRecorded],
  async react({ data: { external_id } }, read, mint) {
    const notifications = await read.find(gatewayNotification.name, byExternalId(external_id))
    if (notifications.length === 0) return []
    const sales = (await read.find(transaction.name, byExternalId(external_id))).filter(
      (one) => one.external_type === 'sale',
    )
    const found = await read.getMany(
      'order',
      sales.map(({ order_id }) => Number(order_id)),
    )
    return sales.flatMap(({ id, order_id, currency, reversed_at }, index) => {
      const account = found[index]?.gateway_account_id
      const [largest] = largestFirst(
        notifications.filter(
          (one) =>
            one.gateway_account_id === account &&
            one.currency === currency &&
            // Totals from before a refund failed count the failed one.
            (typeof reversed_at !== 'string' || String(one.created_at) > reversed_at),
        ),
      )
      if (!largest) return []
      return [
        ask(within(orders, Number(order_id), transaction), Number(id), 'recordRefund', {
          ...{ external_id: String(largest.event_id), told: String(largest.amount), reason: null },
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
    const sales = (await read.find(transaction.name, byExternalId(external_id))).filter(
      (one) => one.external_type === 'sale',
    )
    const parents = await read.getMany(
      'order',
      sales.map(({ order_id }) => Number(order_id)),
    )
    return sales
      .filter((_, index) => parents[index]?.gateway_account_id === gateway_account_id)
      .map(({ id, order_id }) =>
        ask(within(orders, Number(order_id), transaction), Number(id), 'reverseRefund', {
          external_id: refund_id,
          amount,
        }),
      )
  },
})
