import type { RecordOf } from '../../kernel/model/model.ts'
import { AMOUNT_LIMIT, fromMinor, isWithinLimit, minorOf } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { price, variant } from '../../store/public.ts'
import { priceOf } from '../agreed-price.ts'
import type { invoice } from '../invoice/model.ts'
import type { lineItem, Running } from '../order/line-item.ts'
import type { order } from '../order/model.ts'
import { isOwed } from '../statuses.ts'
import type { transaction } from '../transaction/model.ts'
import { paidShare } from './paid-share.ts'
import {
  atOnce,
  atRenewal,
  type ChargedNow,
  type ImmediateChange,
  type Period,
  periodOf,
  runningPrice,
  type Schedule,
} from './proration.ts'
import type { Upcoming } from './upcoming.ts'

type Order = RecordOf<typeof order>
type Line = RecordOf<typeof lineItem>
type Invoice = RecordOf<typeof invoice>
type Transaction = RecordOf<typeof transaction>
type Price = RecordOf<typeof price>
type Variant = RecordOf<typeof variant>

/** Order with its lines and invoices. */
export interface OrderState {
  readonly order: Order
  readonly lines: readonly Line[]
  readonly invoices: readonly Invoice[]
  readonly transactions: readonly Transaction[]
}

/** Catalogue entries that a change depends on. */
export interface Offer {
  readonly target: Price | undefined
  /** Whether neither the target nor its variant and product are archived. */
  readonly isSellable: boolean
  /** Prices of all lines of the order. */
  readonly prices: readonly Price[]
  /** Variant of the line item, with values inherited from the default variant. */
  readonly variant: Variant | undefined
}

/** Change as the client sent it. */
export type ChangeInput = {
  readonly products_price_id?: number
  readonly prorate?: boolean | null
  readonly effective_time?: string | null
}

/** Terms of a change. */
export interface Terms {
  readonly direction: 'upgrade' | 'downgrade'
  readonly prorate: boolean
  readonly effective_time: string
  readonly target: Price
  /** Schedule after the change; `undefined` when it stays as it is. */
  readonly schedule: Schedule | undefined
  readonly now: ChargedNow | undefined
  /** Price of the running period, where it differs from the new one. */
  readonly running: Running | null
  readonly upcoming: Upcoming
}

const ROOT = 'orders_line_items_change'
const PRICE = `${ROOT}.products_price_id`
const TIME = `${ROOT}.effective_time`
const NOT_ALLOWED =
  'The target variant and price combination is not an allowed upgrade or downgrade for this subscription.'

const ineligible = (reason: string) =>
  refuse.invalid(`The subscription cannot be changed: ${reason}`, 'line_item_id', 'not_eligible')

/** Whether the newest period fell due and has no invoice yet. It is to have the price that it fell due with. */
const isBeingBilled = ({ order: { periods }, invoices }: Pick<OrderState, 'order' | 'invoices'>): boolean =>
  periods > 0 && !invoices.some(({ period }) => period === periods - 1)

const whyNot = (state: OrderState, line: Line, prices: readonly Price[]): string | undefined => {
  const { order: subscription, lines } = state
  if (subscription.order_type !== 'subscription-order') return 'the order is no subscription'
  if (!subscription.plan || subscription.payment_processor === 'external') return 'it is not charged by us'
  if (subscription.plan.payments !== null) return 'it ends after a number of payments'
  if (subscription.service_status !== 'active') return `it is ${subscription.service_status}`
  if (subscription.next_charge_at === null) return 'nothing more is charged for it'
  if (isBeingBilled(state)) return 'its renewal is being invoiced; try again'
  const typeOf = (one: Line) => priceOf(one, prices)?.payment_type
  const recurring = lines.filter((one) => typeOf(one) !== 'one_time')
  if (recurring.length !== 1 || recurring[0]?.id !== line.id) return 'it must have this line item alone that recurs'
  return typeOf(line) === 'subscription' ? undefined : 'it is a payment plan'
}

const directionOf = ({ variant, target }: Offer): Terms['direction'] | undefined => {
  if (target?.payment_type !== 'subscription' || target.duration) return undefined
  if (variant?.upgrade_price_ids.includes(target.id)) return 'upgrade'
  return variant?.downgrade_price_ids.includes(target.id) ? 'downgrade' : undefined
}

const invoiceAt = (subscription: Order, at: string, subtotal: string, discount: string, total: string): Upcoming => {
  const none = fromMinor(0n, subscription.currency)
  return {
    total_amount: total,
    subtotal_amount: subtotal,
    tax_amount: none,
    shipping_amount: none,
    discount_amount: discount,
    currency: subscription.currency,
    next_invoice_date: at,
  }
}

const renewal = (subscription: Order, { quantity }: Line, { amount }: Price): Upcoming => {
  const { currency, next_charge_at } = subscription
  const total = fromMinor(minorOf(amount, currency) * BigInt(quantity), currency)
  return invoiceAt(subscription, next_charge_at ?? '', total, fromMinor(0n, currency), total)
}

/** Checks the target of a change. @returns its direction */
const checkTarget = (
  { order: { currency } }: OrderState,
  line: Line,
  { products_price_id }: ChangeInput,
  offer: Offer,
): Terms['direction'] | Refusal => {
  const { target } = offer
  if (products_price_id === line.products_price_id)
    return refuse.invalid('The subscription has this price already', PRICE, 'same_target')
  const direction = directionOf(offer)
  if (!target || !direction || !offer.isSellable) return refuse.invalid(NOT_ALLOWED, PRICE, 'target_not_allowed')
  if (!isWithinLimit(minorOf(target.amount, currency) * BigInt(line.quantity), currency))
    return refuse.invalid(`The invoices must stay below ${AMOUNT_LIMIT}`, PRICE, 'too_large')
  return direction
}

/** Schedule and immediate charge of a change; `undefined` where it cannot be made now. */
const resultOf = (
  state: OrderState,
  line: Line,
  period: Period | undefined,
  target: Price,
  prorate: boolean,
  at: string,
) => {
  const { order: subscription, invoices, transactions } = state
  if (!period) return { schedule: atRenewal(subscription, target), now: undefined }
  const share = paidShare(subscription.periods - 1, invoices, transactions)
  return atOnce({ subscription, quantity: line.quantity, period, target, share, at }, prorate)
}

/** Price of the running period, where it differs from the one after the change. */
const runningAfter = (
  subscription: Order,
  line: Line,
  period: Period | undefined,
  change: ImmediateChange,
  target: Price,
) => {
  if (change.now || !period) return null
  const price_id = runningPrice(subscription, line).id
  if (price_id === target.id && !change.schedule) return null
  return { price_id, price: period.price, periods: subscription.periods, since: period.since }
}

/**
 * Terms of moving a subscription to another price (contract schema: Orders::LineItems::Change).
 *
 * Refuses, by code: `invalid_effective_time`, `not_eligible`, `same_target`, `target_not_allowed`, `too_large`.
 */
export const termsOf = (
  state: OrderState,
  line: Line,
  wanted: ChangeInput,
  offer: Offer,
  at: string,
): Terms | Refusal => {
  const { order: subscription, invoices } = state
  const { prices, variant, target } = offer
  const { effective_time: sent = null } = wanted
  if (sent !== null && sent !== 'now' && sent !== 'next_renewal')
    return refuse.invalid('Effective time must be now or next_renewal', TIME, 'invalid_effective_time')
  const reason = whyNot(state, line, prices)
  if (reason !== undefined) return ineligible(reason)
  const direction = checkTarget(state, line, wanted, offer)
  if (direction instanceof Refusal || !target) return direction as Refusal
  const isUpgrade = direction === 'upgrade'
  const effective_time = sent ?? (isUpgrade ? 'now' : 'next_renewal')
  const prorate = variant?.product_type !== 'physical' && (wanted.prorate ?? isUpgrade)
  const period = subscription.in_trial ? undefined : periodOf(subscription, line, prices, at)
  const isNow = effective_time === 'now' && period !== undefined
  if (isNow && invoices.some(isOwed)) return ineligible('an invoice of it is not paid')
  const change = resultOf(state, line, isNow ? period : undefined, target, prorate, at)
  if (!change)
    return refuse.invalid(
      'Effective time must be next_renewal: more than a period of the new price is paid',
      TIME,
      'invalid_effective_time',
    )
  const { schedule, now } = change
  return {
    ...{ direction, prorate, effective_time, target, schedule, now },
    running: runningAfter(subscription, line, period, change, target),
    upcoming: now
      ? invoiceAt(subscription, at, now.subtotal, now.discount, now.total)
      : renewal({ ...subscription, ...schedule }, line, target),
  }
}
