import { flag, text } from '../../kernel/model/fields.ts'
import { refuse } from '../../kernel/values/refusal.ts'
import { list, show } from '../../resources/operations.ts'
import { nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks } from '../../resources/writes.ts'
import { concernedByOrder } from '../order/concerned.ts'
import { underOrder } from '../order/index.ts'
import { orders } from '../order/rules.ts'
import { transaction } from './model.ts'

const refund = {
  reason: text({ about: 'Default: requested_by_customer. Stripe: duplicate, fraudulent or requested_by_customer' }),
  partial: flag({ about: 'true: 422, since a charge is given back whole' }),
  amount: text({ nullable: true, about: '422, since a charge is given back whole' }),
}

/** Orders::Transaction: a charge or refund of an order, also a declined one. */
export const transactionResource = serve(transaction, orders, {
  title: 'Orders::Transaction',
  root: 'orders_transaction',
  category: 'store',
  under: underOrder,
  // Notifications of gateways name the charge by its external id.
  indexes: [{ fields: ['external_id'] }],
  view: {
    billing_payment_instruction_type: {
      schema: nullableString,
      of: ({ billing_payment_instruction_id }) => (billing_payment_instruction_id === null ? null : 'payment_method'),
    },
    arn: { schema: nullableString, of: () => null },
  },
  operations: {
    listOrdersTransactions: list('/orders/{order_id}/transactions'),
    getOrdersTransactions: show('/orders/transactions/{id}'),
    refundOrdersTransactions: asks('/orders/transactions/{id}/refund', 'refund', {
      consequence: 'gives money back',
      answers: 202,
      settled: ({ status, refunding, refund_failure }) =>
        !refunding && typeof refund_failure === 'string'
          ? refuse.invalid(`The gateway refused the refund: ${refund_failure}`, 'orders_transaction', 'refused')
          : status === 'refunded',
      summary: 'Gives a charge back: 200 when the gateway has done it, 202 when it settles it later',
      body: { root: 'orders_transaction', fields: refund, mode: 'change', optional: true },
    }),
  },
  publishes: {
    '$orders.transaction_created': {
      on: ['TransactionRecorded'],
      about: 'A charge for an order went through or was declined, or one was given back.',
      alias: 'orders/transaction.created',
    },
    '$transaction.renewal_failed': {
      on: ['TransactionRecorded'],
      when: ({ data }) => data.is_rebill === true && data.result === 'declined',
      about: 'The charge for a period of a subscription was declined.',
      concerns: concernedByOrder,
    },
    '$orders.transaction_updated': {
      on: ['TransactionRefunded', 'TransactionPartlyRefunded'],
      about: 'A charge was given back, or a part of it.',
      alias: 'orders/transaction.updated',
    },
  },
})
