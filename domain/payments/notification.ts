import { choice, reference, text } from '../kernel/fields.ts'
import { workspace } from '../kinds/operations.ts'
import { record } from '../kinds/record.ts'

const CHARGE = ['gateway_account_id', 'event_id', 'external_id'] as const
const SUM = ['amount', 'currency'] as const

/** What a gateway has told by itself, each of it once; policies act upon it. Nothing of a person. No endpoints. */
export const gatewayNotification = record({
  name: 'payments/notification',
  title: 'Payments::Notification',
  root: 'payments_notification',
  category: 'store',
  under: workspace,
  attributes: {
    gateway_account_id: reference('payments/gateway_account', { required: true }),
    /** What the gateway knows its event by. */
    event_id: text({ required: true }),
    /** The charge that it is about, as the answer to the charge has it. */
    external_id: text({ required: true }),
    amount: text({ nullable: true }),
    currency: text({ nullable: true }),
    result: choice(['approved', 'declined'], { nullable: true }),
    reason: text({ nullable: true }),
  },
  events: {
    /** `amount`: all that was given back of the charge so far, whoever asked for it. */
    GatewayRefunded: { born: true, only: [...CHARGE, ...SUM] },
    GatewayDisputed: { born: true, only: [...CHARGE, ...SUM, 'reason'] },
    /** It is settled what became of a charge. */
    GatewayChargeSettled: { born: true, only: [...CHARGE, ...SUM, 'result', 'reason'] },
  },
  operations: {},
})
