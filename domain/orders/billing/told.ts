import { ask, within } from '../../kernel/decide/ask.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { policy } from '../../kernel/react/policy.ts'
import { toMinor } from '../../kernel/values/money.ts'
import { gatewayNotification } from '../../payments/public.ts'
import { order } from '../order/model.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'

const minor = ({ amount, currency }: Document): bigint => toMinor(String(amount), String(currency)) ?? 0n

/** What a gateway told of refunds of a charge, the most of it first. */
const mostFirst = (told: readonly Document[]): readonly Document[] =>
  told.toSorted((a, b) => (minor(a) > minor(b) ? -1 : 1))

const of = (external_id: string) => ({ where: { external_id } })

/**
 * What somebody gave back at the gateway itself is recorded. The gateway may tell of it before the charge is recorded here, so both are looked at when
 * either comes.
 */
export const refundsOfGatewaysAreRecorded = policy({
  name: 'refunds-of-gateways-are-recorded',
  on: [gatewayNotification.model.event.GatewayRefunded, order.event.TransactionRecorded],
  async react({ data: { external_id } }, read, mint) {
    const told = await read.find(gatewayNotification.name, of(external_id))
    if (told.length === 0) return []
    const sales = (await read.find(transaction.name, of(external_id))).filter((one) => one.external_type === 'sale')
    const found = await read.getMany(
      'order',
      sales.map(({ order_id }) => Number(order_id)),
    )
    return sales.flatMap(({ id, order_id, currency }, index) => {
      const account = found[index]?.gateway_account_id
      const [most] = mostFirst(told.filter((one) => one.gateway_account_id === account && one.currency === currency))
      if (!most) return []
      return [
        ask(within(orders, Number(order_id), transaction), Number(id), 'recordRefund', {
          ...{ external_id: String(most.event_id), told: String(most.amount), reason: null },
          refund_id: mint(transaction),
        }),
      ]
    })
  },
})
