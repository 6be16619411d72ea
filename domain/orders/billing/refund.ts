import { ask, within } from '../../kernel/decide/ask.ts'
import { managed } from '../../kernel/model/field.ts'
import { amount, integer, reference, text } from '../../kernel/model/fields.ts'
import { refunding } from '../../payments/public.ts'
import { processModel } from '../../resources/process/model.ts'
import { orders } from '../order/rules.ts'
import { transaction } from '../transaction/model.ts'
import { gatewayProcess } from './gateway-process.ts'

/** Refund of a charge: calls the gateway once and records its answer once. */
export const refund = processModel('orders/refund', {
  attributes: {
    order_id: reference('order', { required: true }),
    transaction_id: reference('orders/transaction', { required: true }),
    gateway_account_id: integer({ required: true }),
    external_id: text({ required: true }),
    amount: amount({ required: true }),
    currency: text({ required: true }),
    reason: text({ required: true }),
    refund_id: managed(text({ nullable: true })),
  },
  events: {
    ...{ begun: 'RefundBegun', moved: 'RefundMoved', stuck: 'RefundStuck', resumed: 'RefundResumed' },
    ...{ calledOff: 'RefundCalledOff', completed: 'RefundSettled', undone: 'RefundFailed' },
  },
})

export const refunds = gatewayProcess(refund, {
  step: 'refund',
  port: refunding,
  request: ({ workspace_id = 0, gateway_account_id, external_id, amount, currency, reason }) => ({
    ...{ workspace_id, gateway_account_id, external_id, amount, currency, reason },
  }),
  saveResult: ({ external_id: refund_id }) => ({ refund_id }),
  record: ({ order_id, transaction_id, refund_id, reason }, mint) =>
    ask(within(orders, order_id, transaction), transaction_id, 'recordRefund', {
      external_id: refund_id ?? '',
      refund_id: mint(transaction),
      reason,
    }),
})
