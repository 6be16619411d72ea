import { ask, within } from '../../kernel/decide/ask.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { policy } from '../../kernel/react/policy.ts'
import { gatewayNotification } from '../../payments/public.ts'
import { order } from '../order/model.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'

/** Returns the notification that tells the most of a charge. Gateways may send thousands about one, so only this one is read. */
const largestOf = async (
  read: FactReader,
  charge: Readonly<Record<'external_id' | 'currency', string>>,
  account: number,
) => {
  const where = { ...charge, gateway_account_id: account }
  const sort = { by: 'minor_amount', descending: true }
  const [largest] = await read.find(gatewayNotification.name, { where, sort, limit: 1 })
  return largest
}

/**
 * Records refunds that were made at the gateway itself. The notification may arrive before the charge is recorded here,
 * so both events trigger the check.
 */
export const refundsOfGatewaysAreRecorded = policy({
  name: 'refunds-of-gateways-are-recorded',
  on: [gatewayNotification.model.event.GatewayRefunded, order.event.TransactionRecorded],
  async react({ data: { external_id } }, read, mint) {
    const where = { external_id }
    const [any] = await read.find(gatewayNotification.name, { where, limit: 1 })
    if (!any) return []
    const charges = await read.find(transaction.name, { where })
    const sales = charges.filter((one) => one.external_type === 'sale')
    const found = await read.getMany(
      'order',
      sales.map(({ order_id }) => Number(order_id)),
    )
    const largest = await Promise.all(
      sales.map(({ currency }, index) =>
        largestOf(read, { external_id, currency: String(currency) }, Number(found[index]?.gateway_account_id ?? 0)),
      ),
    )
    return sales.flatMap(({ id, order_id }, index) => {
      const told = largest[index]
      if (!told) return []
      return [
        ask(within(orders, Number(order_id), transaction), Number(id), 'recordRefund', {
          ...{ external_id: String(told.event_id), told: String(told.amount), reason: null },
          refund_id: mint(transaction),
        }),
      ]
    })
  },
})
