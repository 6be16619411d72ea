import { ask, within } from '../kernel/decide/ask.ts'
import { readerOver } from '../kernel/decide/rules.ts'
import { policy } from '../kernel/react/policy.ts'
import type { RecordedEvent } from '../kernel/values/event.ts'
import { parseStream } from '../kernel/values/stream-name.ts'
import { RUNNING } from '../resources/process/status.ts'
import { untagOnRemoval } from '../resources/tag.ts'
import { charge, charges } from './billing/charge.ts'
import { refundsOfGatewaysAreRecorded, refundsThatFailedAreReversed } from './billing/gateway-refunds.ts'
import { refund, refunds } from './billing/refund.ts'
import { invoice, invoiceLineItem } from './invoice/model.ts'
import { order } from './order/model.ts'
import { orders } from './order/rules.ts'
import { orderTag } from './tag.ts'
import { transaction } from './transaction/model.ts'

export const tagsLeaveOrders = untagOnRemoval({
  name: 'tags-leave-orders',
  on: orderTag.model.event.OrdersTagRemoved,
  aggregate: orders,
  wanted: (tag_id) => ({ tag_id }),
})

const idOf = ({ stream }: Pick<RecordedEvent, 'stream'>): number => parseStream(stream).id

/** Issues an invoice for each period that falls due. */
const renewalsAreBilled = policy({
  name: 'renewals-are-billed',
  on: [order.event.RenewalFellDue],
  react: (event, _read, mint) => {
    const { period, lines } = event.data
    const lineIds = Array.from({ length: lines }, () => mint(invoiceLineItem))
    return [ask(orders, idOf(event), 'bill', { period }, { ids: [mint(invoice), ...lineIds] })]
  },
})

/** Starts a charge for each invoice that is to be charged. */
const chargesAreMade = policy({
  name: 'charges-are-made',
  on: [order.event.InvoiceChargeAsked],
  react: (event) => {
    const { invoice_id, amount, currency, gateway_account_id, payment_method_id, about } = event.data
    // The `create` of a charge refuses when there is no account or no payment method.
    const account = {
      gateway_account_id: gateway_account_id ?? undefined,
      payment_method_id: payment_method_id ?? undefined,
    }
    const wanted = { order_id: idOf(event), invoice_id, amount, currency, about, ...account }
    return [ask(charges.decider, 'new', 'create', wanted)]
  },
})

/** Calls off the charge of an invoice that has ended in another way. Each attempt looks at the invoice as well. */
const chargesAreCalledOff = policy({
  name: 'charges-are-called-off',
  on: [order.event.InvoiceVoided, order.event.InvoiceAbandoned, order.event.InvoiceRefunded],
  async react({ data: { invoice_id } }, read) {
    const running = await read.find(charge.name, { where: { invoice_id, status: RUNNING } })
    return running.map(({ id }) => ask(charges.decider, Number(id), 'callOff', { reason: 'the invoice has ended' }))
  },
})

/** Starts a refund at the gateway for each refund that was requested. */
const refundsAreMade = policy({
  name: 'refunds-are-made',
  on: [order.event.TransactionRefundAsked],
  react: (event) => {
    const { transaction_id, amount, currency, gateway_account_id, external_id, reason } = event.data
    const wanted = { transaction_id, amount, currency, gateway_account_id, external_id, reason }
    return [ask(refunds.decider, 'new', 'create', { order_id: idOf(event), ...wanted })]
  },
})

/** Records charges and refunds that failed: the charge is retried later, the refund can be requested again. */
const failuresAreRecorded = policy({
  name: 'failures-of-charges-are-told',
  on: [charge.event.ChargeFailed, refund.event.RefundFailed],
  react: async (event, documents) => {
    const read = readerOver(documents)
    if (event.type === charge.event.ChargeFailed.type) {
      const { order_id, invoice_id = 0, because = null } = (await read.one(charge, idOf(event))) ?? {}
      return order_id === undefined ? [] : [ask(orders, order_id, 'chargeFailed', { invoice_id, reason: because })]
    }
    const found = await read.one(refund, idOf(event))
    const reason = { reason: found?.because ?? null }
    return found ? [ask(within(orders, found.order_id, transaction), found.transaction_id, 'refundFailed', reason)] : []
  },
})

export const billingPolicies = [
  renewalsAreBilled,
  chargesAreMade,
  chargesAreCalledOff,
  refundsAreMade,
  failuresAreRecorded,
  refundsOfGatewaysAreRecorded,
  refundsThatFailedAreReversed,
]
