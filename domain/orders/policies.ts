import { parseStream } from '../kernel/decider.ts'
import type { JsonObject, RecordedEvent } from '../kernel/event.ts'
import type { Consequence, Policy } from '../kernel/policy.ts'
import { workerActor } from '../kernel/transaction.ts'
import { tagsLeave } from '../kinds/tag.ts'
import { charge, charges } from './billing/charge.ts'
import { refund, refunds } from './billing/refund.ts'
import { refundsOfGatewaysAreRecorded } from './billing/told.ts'
import { orders } from './order/rules.ts'

export const tagsLeaveOrders = tagsLeave({
  name: 'tags-leave-orders',
  on: 'OrdersTagRemoved',
  aggregate: orders,
  wanted: (tag_id) => ({ tag_id }),
})

const stamp = ({ metadata }: RecordedEvent) => ({ at: metadata.at, actor: workerActor('policies') })
const orderOf = ({ stream }: RecordedEvent): number => parseStream(stream).id

/** A period that is to be paid has an invoice. */
const renewalsAreBilled: Policy = {
  name: 'renewals-are-billed',
  on: ['RenewalFellDue'],
  react: (event) => [
    {
      aggregate: orders,
      id: orderOf(event),
      command: (mint) => ({
        type: 'bill',
        wanted: { period: event.data.period ?? 0 },
        ids: [
          mint('orders/invoice'),
          ...Array.from({ length: Number(event.data.lines) }, () => mint('orders/invoices/line_item')),
        ],
        ...stamp(event),
      }),
    },
  ],
}

const begins = (aggregate: Consequence['aggregate'], event: RecordedEvent, wanted: JsonObject): Consequence => ({
  aggregate,
  id: 'new',
  command: () => ({ type: 'create', wanted: { order_id: orderOf(event), ...wanted }, ...stamp(event) }),
})

/** The gateway is asked for what an invoice is to be paid with. */
const chargesAreMade: Policy = {
  name: 'charges-are-made',
  on: ['InvoiceChargeAsked'],
  react: (event) => {
    const { invoice_id, amount, currency, gateway_account_id, payment_method_id, about } = event.data
    const wanted = { invoice_id, amount, currency, gateway_account_id, payment_method_id, about } as JsonObject
    return [begins(charges.decider, event, wanted)]
  },
}

/** The gateway is asked to give a charge back. */
const refundsAreMade: Policy = {
  name: 'refunds-are-made',
  on: ['TransactionRefundAsked'],
  react: (event) => {
    const { transaction_id, amount, currency, gateway_account_id, external_id, reason } = event.data
    const wanted = { transaction_id, amount, currency, gateway_account_id, external_id, reason } as JsonObject
    return [begins(refunds.decider, event, wanted)]
  },
}

/** What could not be charged is tried later; what could not be given back can be asked for again. */
const failuresAreTold: Policy = {
  name: 'failures-of-charges-are-told',
  on: [charge.stages.undone, refund.stages.undone],
  react: async (event, read) => {
    const isCharge = event.type === charge.stages.undone
    const { model } = isCharge ? charges : refunds
    const found = await read.get(model.name, orderOf(event))
    if (!found) return []
    const { order_id, invoice_id, transaction_id, because } = found
    const act = isCharge
      ? { type: 'chargeFailed', wanted: { invoice_id: invoice_id ?? null, reason: because ?? null } }
      : { type: 'refundFailed', child: 'transactions', id: Number(transaction_id), wanted: {} }
    return [{ aggregate: orders, id: Number(order_id), command: () => ({ ...act, ...stamp(event) }) }]
  },
}

export const billingPolicies = [
  renewalsAreBilled,
  chargesAreMade,
  refundsAreMade,
  failuresAreTold,
  refundsOfGatewaysAreRecorded,
]
