import { amount, reference, text } from '../kernel/model/fields.ts'
import { workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'

/** Report of a gateway that a refund has failed after it was made, stored once; policies act on it. Has no endpoints. */
export const refundFailure = record({
  name: 'payments/refund_failure',
  title: 'Payments::RefundFailure',
  root: 'payments_refund_failure',
  category: 'store',
  under: workspace,
  attributes: {
    gateway_account_id: reference('payments/gateway_account', { required: true }),
    /** Id of the event at the gateway. */
    event_id: text({ required: true }),
    /** Id of the charge at the gateway. */
    external_id: text({ required: true }),
    /** Id of the refund at the gateway. */
    refund_id: text({ required: true }),
    amount: amount({ required: true }),
    currency: text({ required: true }),
  },
  events: { GatewayRefundFailed: { creates: true } },
  operations: {},
})
