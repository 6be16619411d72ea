import { amount, reference, text } from '../kernel/model/fields.ts'
import { workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'

/** What a gateway has told by itself, each of it once; policies act upon it. Nothing of a person. No endpoints. */
export const gatewayNotification = record({
  name: 'payments/notification',
  title: 'Payments::Notification',
  root: 'payments_notification',
  category: 'store',
  under: workspace,
  // What is told is looked for by the charge.
  indexes: [{ fields: ['external_id'] }],
  attributes: {
    gateway_account_id: reference('payments/gateway_account', { required: true }),
    /** What the gateway knows its event by. */
    event_id: text({ required: true }),
    /** The charge that it is about, as the answer to the charge has it. */
    external_id: text({ required: true }),
    /** All that was given back of the charge so far, whoever asked for it. */
    amount: amount({ required: true }),
    currency: text({ required: true }),
  },
  events: { GatewayRefunded: { creates: true } },
  operations: {},
})
