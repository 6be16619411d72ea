import { Type } from 'typebox'
import { managed, sequence } from '../../kernel/model/field.ts'
import {
  amount,
  choice,
  data,
  flag,
  integer,
  list,
  longText,
  moment,
  reference,
  text,
} from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { linkModel } from '../../resources/link.ts'
import { addresses } from '../addresses.ts'
import type { Plan } from '../billing/schedule.ts'
import { orderTimers } from '../billing/timers.ts'
import { lineItemChange } from '../change/model.ts'
import { invoice, invoiceLineItem } from '../invoice/model.ts'
import { soldBy } from '../sold-by.ts'
import { BILLING_STATUSES, CANCEL_REASONS } from '../statuses.ts'
import { transaction } from '../transaction/model.ts'
import { lineItem } from './line-item.ts'

/** The first order of a workspace has the number after this one. */
const BEFORE_FIRST = 1000

/** Returns the number of an order as people see it. */
export const orderNumber = (sequence: unknown): string => `#${BEFORE_FIRST + Number(sequence)}`

/** Tag on an order, as the order stores it. */
export type TagOfOrder = { readonly applied_tag_id: number; readonly tag_id: number }

/**
 * Data of a period that begins: when the next one is due, how many have begun, which one this is, and whether it ends a
 * trial.
 */
export type RenewalData = {
  readonly next_charge_at: string | null
  readonly periods: number
  readonly period: number
  readonly trial: boolean
  readonly lines: number
}

/** Tag on an order: applied and removed, never changed. */
export const appliedTag = linkModel('orders/applied_tag', {
  stream: 'order',
  owner: 'order_id',
  target: 'tag_id',
  refersTo: 'orders/tag',
  listed: 'tag_ids',
  applied: 'OrderTagApplied',
  removed: 'OrderTagRemoved',
})

const kind = ({ order_type }: { readonly order_type: string }) => ({ order_type })

const withTags = (tags: readonly TagOfOrder[]) => ({ applied_tags: tags, tag_ids: tags.map(({ tag_id }) => tag_id) })

/** Purchase by a contact, with its lines and invoices (spec 2.3). */
export const order = model('order', {
  attributes: {
    order_type: choice(['one-time-order', 'subscription-order'], { required: true, immutable: true }),
    live_mode: flag({ required: true, immutable: true, about: 'false: a test order' }),
    contact_id: managed(reference('contact', { required: true })),
    order_number: sequence(integer({ required: true, shown: { schema: Type.String(), of: orderNumber } })),
    currency: managed(text({ required: true })),
    total_amount: managed(amount({ required: true })),
    payment_processor: managed(text({ required: true })),
    notes: longText({ nullable: true }),
    external_id: text({ nullable: true }),
    billing_status: choice(BILLING_STATUSES, {
      initial: 'pending',
      consequence: { says: 'changes what counts as paid' },
    }),
    service_status: choice(['pending', 'active', 'paused', 'canceled', 'churned', 'completed'], {
      initial: 'pending',
      consequence: { says: 'changes what a buyer has and pays' },
    }),
    activated_at: moment({ nullable: true }),
    next_charge_at: moment({ nullable: true, consequence: { says: 'changes when a buyer is charged' } }),
    canceled_at: moment({ nullable: true, consequence: { says: 'changes what a buyer has and pays' } }),
    canceled_by: text({ nullable: true }),
    cancel_reason: text({ nullable: true, about: CANCEL_REASONS.join(', ') }),
    cancel_description: longText({ nullable: true }),
    churned_at: moment({ nullable: true, consequence: { says: 'changes what a buyer has and pays' } }),
    in_trial: managed(flag({ initial: false })),
    /** Whether a period has begun for which there is no invoice yet. */
    unbilled: managed(flag({ initial: false }), { shown: 'never' }),
    trial_end_at: managed(moment()),
    paid_until: managed(moment()),
    /** Payment schedule of orders that we charge; see billing/schedule.ts. */
    plan: managed(data<Plan | null>(Type.Unknown(), { nullable: true }), { shown: 'never' }),
    /** Periods of the plan that have been billed. */
    periods: managed(integer({ initial: 0 }), { shown: 'never' }),
    gateway_account_id: managed(integer({ nullable: true }), { shown: 'never' }),
    billing_payment_method_id: managed(text({ nullable: true })),
    recurring_invoices_paid_count: managed(integer({ initial: 0 })),
    /** Whether an invoice was ever paid, even if it was refunded since. */
    purchased: managed(flag({ initial: false }), { shown: 'never' }),
    /** Whether a period was ever paid, setup and trial aside. */
    period_paid: managed(flag({ initial: false }), { shown: 'never' }),
    ...addresses,
    ...soldBy,
    tag_ids: managed(list(reference('orders/tag'), { initial: [] })),
    applied_tags: managed(data<readonly TagOfOrder[], { initial: [] }>(Type.Array(Type.Object({})), { initial: [] }), {
      shown: 'never',
    }),
  },
  events: {
    OrderPlaced: {
      creates: true,
      except: [
        'billing_status',
        'service_status',
        'paid_until',
        'recurring_invoices_paid_count',
        'purchased',
        'period_paid',
        'tag_ids',
        'applied_tags',
      ],
    },
    OrderAddressed: { sets: ['personal'] },
    OrderBilled: { sets: ['billing_status'], constants: { unbilled: false }, addsData: kind },
    OrderReturnedToPending: { constants: { service_status: 'pending' } },
    OrderCompleted: { constants: { service_status: 'completed' }, addsData: kind },
    SubscriptionActivated: {
      constants: { service_status: 'active' },
      addsData: ({ activated_at }) => ({ again: activated_at !== null }),
    },
    SubscriptionPaused: { constants: { service_status: 'paused' } },
    SubscriptionCanceled: { constants: { service_status: 'canceled' } },
    SubscriptionChurned: { constants: { service_status: 'churned', unbilled: false } },
    /** A period of the plan begins and is to be paid. */
    RenewalFellDue: {
      evolve: (_: unknown, { next_charge_at, periods }: RenewalData) => ({
        ...{ next_charge_at, periods, in_trial: false },
        unbilled: true,
      }),
    },
    /** A period of the plan was paid. */
    SubscriptionExtended: { sets: ['paid_until'] },
    /** The payment of the last period was given back. */
    SubscriptionShortened: { sets: ['paid_until'] },
    /** The schedule of the plan changed. */
    SubscriptionRescheduled: { sets: ['plan', 'periods', 'next_charge_at'] },
    /** A line item moved to another price. */
    OrderLineItemChanged: {},
    SubscriptionUpgraded: {},
    SubscriptionDowngraded: {},
    OrderChanged: { changes: 'rest' },
    OrderTagApplied: {
      evolve: (
        before: { readonly applied_tags: readonly TagOfOrder[] } | undefined,
        { applied_tag_id, tag_id }: TagOfOrder,
      ) => withTags([...(before?.applied_tags ?? []), { applied_tag_id, tag_id }]),
    },
    OrderTagRemoved: {
      evolve: (before: { readonly applied_tags: readonly TagOfOrder[] } | undefined, { applied_tag_id }: TagOfOrder) =>
        withTags((before?.applied_tags ?? []).filter((tag) => tag.applied_tag_id !== applied_tag_id)),
    },
    PurchaseSucceeded: { constants: { purchased: true } },
    SubscriptionFirstPaymentReceived: { constants: { period_paid: true } },
    /** A trial ended before the first period begins. */
    TrialEnded: { constants: { in_trial: false } },
    InvoicePaid: {
      evolve: (
        before: { readonly recurring_invoices_paid_count: number } | undefined,
        { recurring, first }: { readonly recurring: boolean; readonly first: boolean },
      ) => ({
        recurring_invoices_paid_count: (before?.recurring_invoices_paid_count ?? 0) + (recurring && first ? 1 : 0),
      }),
    },
  },
  person: 'contact_id',
  children: {
    line_items: { model: lineItem, key: 'line_item_id' },
    invoices: { model: invoice, key: 'invoice_id' },
    invoice_line_items: { model: invoiceLineItem, key: 'invoice_line_item_id' },
    transactions: { model: transaction, key: 'transaction_id' },
    applied_tags: { model: appliedTag, key: 'applied_tag_id' },
    changes: { model: lineItemChange, key: 'change_id' },
  },
  timers: orderTimers,
  isUnderWay: ({ unbilled }) => unbilled,
})
