import { amount, reference, text } from '../kernel/model/fields.ts'
import { toMinor } from '../kernel/values/money.ts'
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
  // Policies ask whether there is any of a charge, and for the one with the largest amount, however many there are.
  indexes: [
    { fields: ['external_id'] },
    { fields: ['external_id', 'gateway_account_id', 'currency'], sort: 'minor_amount' },
  ],
  attributes: {
    gateway_account_id: reference('payments/gateway_account', { required: true }),
    /** Id of the event at the gateway. */
    event_id: text({ required: true }),
    /** Id of the charge at the gateway, as in the answer to the charge. */
    external_id: text({ required: true }),
    /** Total refunded of the charge so far, no matter who requested it. */
    amount: amount({ required: true }),
    currency: text({ required: true }),
  },
  derives: {
    version: 1,
    // Amounts are decimal texts, which sort in another order.
    of: ({ amount, currency }) => ({ minor_amount: Number(toMinor(String(amount), String(currency)) ?? -1n) }),
  },
  events: { GatewayRefunded: { creates: true } },
  operations: {},
})
