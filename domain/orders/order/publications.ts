import type { KnownEvent } from '../../kernel/model/event-types.ts'
import { settingEvents } from '../../kernel/model/model.ts'
import type { ServeSpec } from '../../resources/serve.ts'
import { concernedByCancellation, concernedByEnd, concernedByMove, concernedByPurchase } from './concerned.ts'
import { order } from './model.ts'

const isOnce = ({ data }: KnownEvent<typeof order>): boolean => data.order_type === 'one-time-order'

/** Price and variant of a line item before it moved to another price. */
const movedFrom = ({ data }: KnownEvent<typeof order>) => ({
  line_item_id: data.line_item_id ?? null,
  previous_products_price_id: data.previous_price_id ?? null,
  previous_products_variant_id: data.previous_variant_id ?? null,
})

/** Public events about orders and subscriptions. */
export const orderPublications: NonNullable<ServeSpec<typeof order>['publishes']> = {
  '$order.created': { on: ['OrderPlaced'], about: 'An order was placed.', alias: true },
  '$order.updated': {
    on: settingEvents(order),
    unlessWith: ['OrderPlaced'],
    about: 'A field of an order changed, its statuses included.',
    alias: true,
  },
  '$order.completed': {
    on: ['OrderCompleted'],
    about: 'A one-time order was paid, or the service of a subscription ran out.',
    alias: true,
  },
  '$one_time_order.completed': {
    on: ['OrderCompleted'],
    when: isOnce,
    about: 'A one-time order was paid.',
    alias: 'one-time-order.completed',
  },
  '$one_time_order.refunded': {
    on: ['OrderBilled'],
    when: (event) => isOnce(event) && event.data.billing_status === 'refunded',
    about: 'A one-time order was refunded.',
    alias: true,
  },
  '$order.successful_purchase': {
    on: ['PurchaseSucceeded'],
    about: 'An invoice of an order was paid for the first time.',
    concerns: concernedByPurchase,
  },
  '$subscription.activated': {
    on: ['SubscriptionActivated'],
    when: ({ data }) => data.again === false,
    about: 'A subscription became active for the first time.',
    alias: true,
  },
  '$subscription.reactivated': {
    on: ['SubscriptionActivated'],
    when: ({ data }) => data.again === true,
    about: 'A subscription that was paused, canceled or churned became active again.',
    alias: true,
  },
  '$subscription.trial_converted': {
    on: ['RenewalFellDue', 'TrialEnded'],
    when: ({ type, data }) => type === 'TrialEnded' || data.trial === true,
    about: 'A trial ended, and the subscription continues.',
    alias: true,
  },
  '$subscription.first_payment_received': {
    on: ['SubscriptionFirstPaymentReceived'],
    about: 'A period of a subscription was paid for the first time, setup and trial aside.',
    alias: true,
  },
  '$order.cancelled': {
    on: ['SubscriptionCanceled'],
    about: 'The subscription of an order was canceled.',
    concerns: concernedByCancellation,
  },
  '$order.churned': {
    on: ['SubscriptionChurned'],
    about: 'The service of the subscription of an order ended.',
    concerns: concernedByEnd,
  },
  '$subscription.canceled': { on: ['SubscriptionCanceled'], about: 'A subscription was canceled.', alias: true },
  '$subscription.churned': {
    on: ['SubscriptionChurned'],
    about: 'The service of a canceled or unpaid subscription ended.',
    alias: true,
  },
  '$subscription.trial_started': {
    on: ['OrderPlaced'],
    when: ({ data }) => data.in_trial === true,
    about: 'A subscription began with a trial.',
    alias: true,
  },
  '$subscription.trial_ended': {
    on: ['RenewalFellDue', 'TrialEnded'],
    when: ({ type, data }) => type === 'TrialEnded' || data.trial === true,
    about: 'The trial of a subscription is over.',
    alias: true,
  },
  '$subscription.line_items_changed': {
    on: ['OrderLineItemChanged'],
    about: 'A line item of a subscription moved to another price.',
    alias: 'subscription.line_items.changed',
  },
  '$subscription.upgraded': {
    on: ['SubscriptionUpgraded'],
    about: 'A subscription moved to one of the prices to which it can be upgraded.',
    alias: true,
    details: movedFrom,
    concerns: concernedByMove,
  },
  '$subscription.downgraded': {
    on: ['SubscriptionDowngraded'],
    about: 'A subscription moved to one of the prices to which it can be downgraded.',
    alias: true,
    details: movedFrom,
    concerns: concernedByMove,
  },
  '$subscription.completed': {
    on: ['OrderCompleted'],
    when: (event) => !isOnce(event),
    about: 'A subscription ran out without being canceled, as a payment plan does.',
    alias: true,
  },
}
