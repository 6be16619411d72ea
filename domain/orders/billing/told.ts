import type { Json } from '../../kernel/event.ts'
import { toMinor } from '../../kernel/money.ts'
import type { Policy } from '../../kernel/policy.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import { workerActor } from '../../kernel/transaction.ts'
import { gatewayNotification } from '../../payments/public.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'

const minor = ({ amount, currency }: Document): bigint => toMinor(String(amount), String(currency)) ?? 0n

/** What a gateway told of refunds of a charge, the most of it first. */
const mostFirst = (told: readonly Document[]): readonly Document[] =>
  told.toSorted((a, b) => (minor(a) > minor(b) ? -1 : 1))

const of = (external_id: Json | undefined) => ({ where: { external_id: external_id ?? null } })

/**
 * What somebody gave back at the gateway itself is recorded. The gateway may tell of it before the charge is recorded here, so both are looked at when
 * either comes.
 */
export const refundsOfGatewaysAreRecorded: Policy = {
  name: 'refunds-of-gateways-are-recorded',
  on: ['GatewayRefunded', 'TransactionRecorded'],
  async react({ data: { external_id }, metadata }, read) {
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
      const wanted = { external_id: String(most.event_id), told: String(most.amount), reason: null }
      return [
        {
          aggregate: orders,
          id: Number(order_id),
          command: (mint: (kind: string) => number) => ({
            type: 'recordRefund',
            child: 'transactions',
            id: Number(id),
            wanted: { ...wanted, refund_id: mint(transaction.name) },
            at: metadata.at,
            actor: workerActor('policies'),
          }),
        },
      ]
    })
  },
}
