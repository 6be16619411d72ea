import { amount, reference, text } from '../kernel/model/fields.ts'
import { workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'

/**
 * Notification that a gateway sent by itself, stored once; policies act on it. Contains no personal data. Has no
 * endpoints.
 */
export const gatewayNotification = record({
  name: 'payments/notification',
  title: 'Payments::Notification',
  root: 'payments_notification',
  category: 'store',
  under: workspace,
  // Policies look notifications up by charge.
  indexes: [{ fields: ['external_id'] }],
  attributes: {
    gateway_account_id: reference('payments/gateway_account', { required: true, onTargetEnd: 'keep' }),
    /** Id of the event at the gateway. */
    event_id: text({ required: true }),
    /** Id of the charge at the gateway, as in the answer to the charge. */
    external_id: text({ required: true }),
    /** Total refunded of the charge so far, no matter who requested it. */
    amount: amount({ required: true }),
    currency: text({ required: true }),
  },
  events: { GatewayRefunded: { creates: true } },
  operations: {},
})
