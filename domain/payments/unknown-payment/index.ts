import { amount, reference, text } from '../../kernel/model/fields.ts'
import { list, workspace } from '../../resources/operations.ts'
import { record } from '../../resources/record.ts'
import { removes } from '../../resources/writes.ts'

/**
 * Payment that a gateway told of and that belongs to no checkout and to no order: made at the gateway itself or by other software, or lost here, as
 * by a restored backup. Contains no personal data. Beyond the contract.
 */
export const unknownPayment = record({
  name: 'payments/unknown_payment',
  title: 'Payments::UnknownPayment',
  root: 'payments_unknown_payment',
  category: 'store',
  under: workspace,
  // A policy asks for that of a charge.
  indexes: [{ fields: ['external_id'] }],
  attributes: {
    gateway_account_id: reference('payments/gateway_account', { required: true, onTargetEnd: 'keep' }),
    event_id: text({ required: true, about: 'Id of the event at the gateway' }),
    external_id: text({ required: true, about: 'Id of the payment at the gateway' }),
    amount: amount({ required: true }),
    currency: text({ required: true }),
  },
  events: { UnknownPaymentReported: { creates: true }, UnknownPaymentSettled: { ends: true } },
  operations: {
    listPaymentsUnknownPayments: list('/workspaces/{workspace_id}/payments/unknown_payments', {
      beyondContract: true,
      summary: 'Payments that a gateway told of and that belong to no order',
    }),
    removePaymentsUnknownPayments: removes('/payments/unknown_payments/{id}', {
      consequence: null,
      beyondContract: true,
      summary: 'Takes a payment that somebody has seen to off the list; at the gateway nothing changes',
    }),
  },
})
