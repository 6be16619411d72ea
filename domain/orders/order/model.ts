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
import { BILLING_STATUSES, CANCEL_REASONS } from '../statuses.ts'
import { transaction } from '../transaction/model.ts'
import { lineItem } from './line-item.ts'

/** The number of the first order of a workspace is one above it. */
const BEFORE_FIRST = 1000

/** A tag on an order, as the order itself keeps it. */
export type TagOfOrder = { readonly applied_tag_id: number; readonly tag_id: number }

/** That a period begins: when the next one is due, how many have been, which this is, and whether a trial ends with it. */
export type Fell = {
  readonly next_charge_at: string | null
  readonly periods: number
  readonly period: number
  readonly trial: boolean
  readonly lines: number
}

/** A tag applied to an order: put on it and taken off, never changed. */
export const appliedTag = linkModel('orders/applied_tag', {
  stream: 'order',
  owner: 'order_id',
  target: 'tag_id',
  refersTo: 'orders/tag',
  applied: 'OrderTagApplied',
  removed: 'OrderTagRemoved',
})

const kind = ({ order_type }: { readonly order_type: string }) => ({ order_type })

const withTags = (tags: readonly TagOfOrder[]) => ({ applied_tags: tags, tag_ids: tags.map(({ tag_id }) => tag_id) })

/** A purchase by a contact, with what was ordered and the invoices for it (spec 2.3). */
export const order = model('order', {
  attributes: {
    order_type: choice(['one-time-order', 'subscription-order'], { required: true, immutable: true }),
    live_mode: flag({ required: true, immutable: true, about: 'false: a test order' }),
    contact_id: managed(reference('contact', { required: true })),
    order_number: sequence(
      integer({ required: true, shown: { schema: Type.String(), of: (n) => `#${BEFORE_FIRST + Number(n)}` } }),
    ),
    currency: managed(text({ required: true })),
    total_amount: managed(amount({ required: true })),
    payment_processor: managed(text({ required: true })),
    notes: longText({ nullable: true }),
    external_id: text({ nullable: true }),
    billing_status: choice(BILLING_STATUSES, { initial: 'pending' }),
    service_status: choice(['pending', 'active', 'paused', 'canceled', 'churned', 'completed'], { initial: 'pending' }),
    activated_at: moment({ nullable: true }),
    next_charge_at: moment({ nullable: true }),
    canceled_at: moment({ nullable: true }),
    canceled_by: text({ nullable: true }),
    cancel_reason: text({ nullable: true, about: CANCEL_REASONS.join(', ') }),
    cancel_description: longText({ nullable: true }),
    churned_at: moment({ nullable: true }),
    in_trial: managed(flag({ initial: false })),
    trial_end_at: managed(moment()),
    paid_until: managed(moment()),
    /** How often it is paid, where we ask for it; see billing. */
    plan: managed(data<Plan | null>(Type.Unknown(), { nullable: true }), { shown: 'never' }),
    /** Periods of the plan that have been asked for. */
    periods: managed(integer({ initial: 0 }), { shown: 'never' }),
    gateway_account_id: managed(integer({ nullable: true }), { shown: 'never' }),
    billing_payment_method_id: managed(text({ nullable: true })),
    recurring_invoices_paid_count: managed(integer({ initial: 0 })),
    /** An invoice has been paid, be it refunded by now. */
    purchased: managed(flag({ initial: false }), { shown: 'never' }),
    ...addresses,
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
        'tag_ids',
        'applied_tags',
      ],
    },
    OrderAddressed: { sets: ['personal'] },
    OrderBilled: { sets: ['billing_status'], addsData: kind },
    OrderReturnedToPending: { constants: { service_status: 'pending' } },
    OrderCompleted: { constants: { service_status: 'completed' }, addsData: kind },
    SubscriptionActivated: {
      constants: { service_status: 'active' },
      addsData: ({ activated_at }) => ({ again: activated_at !== null }),
    },
    SubscriptionPaused: { constants: { service_status: 'paused' } },
    SubscriptionCanceled: { constants: { service_status: 'canceled' } },
    SubscriptionChurned: { constants: { service_status: 'churned' } },
    /** A period of the plan begins, and is to be paid. */
    RenewalFellDue: {
      evolve: (_: unknown, { next_charge_at, periods }: Fell) => ({ next_charge_at, periods, in_trial: false }),
    },
    /** A period of the plan was paid. */
    SubscriptionExtended: { sets: ['paid_until'] },
    /** The periods of the plan are other ones from now on. */
    SubscriptionRescheduled: { sets: ['plan', 'periods', 'next_charge_at'] },
    /** A line item has moved to another price. */
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
})
