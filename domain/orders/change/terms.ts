import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, toMinor } from '../../kernel/values/money.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { price, variant } from '../../store/public.ts'
import type { invoice } from '../invoice/model.ts'
import type { lineItem, Running } from '../order/line-item.ts'
import type { order } from '../order/model.ts'
import { atOnce, atRenewal, type ChargedNow, periodOf, type Schedule } from './proration.ts'
import type { Upcoming } from './upcoming.ts'

type Order = RecordOf<typeof order>
type Line = RecordOf<typeof lineItem>
type Invoice = RecordOf<typeof invoice>
type Price = RecordOf<typeof price>
type Variant = RecordOf<typeof variant>

/** An order with what stands in its stream. */
export interface Standing {
  readonly order: Order
  readonly lines: readonly Line[]
  readonly invoices: readonly Invoice[]
}

/** What the catalogue says of a change. */
export interface Offer {
  readonly target: Price | undefined
  /** Of all lines of the order. */
  readonly prices: readonly Price[]
  /** The variant that the line has, with what it has from the default one. */
  readonly variant: Variant | undefined
}

/** What is wanted, as it was sent. */
export type Wanted = {
  readonly products_price_id?: number
  readonly prorate?: boolean | null
  readonly effective_time?: string | null
}

/** What a change comes to. */
export interface Terms {
  readonly direction: 'upgrade' | 'downgrade'
  readonly prorate: boolean
  readonly effective_time: string
  readonly target: Price
  /** Where the plan stands afterwards, when that is elsewhere. */
  readonly schedule: Schedule | undefined
  readonly now: ChargedNow | undefined
  /** The period that runs, where it is not paid at the new price. */
  readonly running: Running | null
  readonly upcoming: Upcoming
}

const ROOT = 'orders_line_items_change'
const PRICE = `${ROOT}.products_price_id`
const TIME = `${ROOT}.effective_time`
const NOT_ALLOWED =
  'The target variant and price combination is not an allowed upgrade or downgrade for this subscription.'
const OPEN: ReadonlySet<string> = new Set(['unpaid', 'draft', 'past-due'])

const ineligible = (because: string) =>
  refuse.invalid(`The subscription cannot be changed: ${because}`, 'line_item_id', 'not_eligible')

const whyNot = ({ order: of, lines }: Standing, line: Line, prices: readonly Price[]): string | undefined => {
  if (of.order_type !== 'subscription-order') return 'the order is no subscription'
  if (!of.plan || of.payment_processor === 'external') return 'it is not charged by us'
  if (of.plan.payments !== null) return 'it ends after a number of payments'
  if (of.service_status !== 'active') return `it is ${of.service_status}`
  if (of.next_charge_at === null) return 'nothing more is charged for it'
  const typeOf = ({ products_price_id }: Line) => prices.find(({ id }) => id === products_price_id)?.payment_type
  const recurring = lines.filter((one) => typeOf(one) !== 'one_time')
  if (recurring.length !== 1 || recurring[0]?.id !== line.id) return 'it must have this line item alone that recurs'
  return typeOf(line) === 'subscription' ? undefined : 'it is a payment plan'
}

const directionOf = ({ variant, target }: Offer): Terms['direction'] | undefined => {
  if (target?.payment_type !== 'subscription' || target.duration) return undefined
  if (variant?.upgrade_price_ids.includes(target.id)) return 'upgrade'
  return variant?.downgrade_price_ids.includes(target.id) ? 'downgrade' : undefined
}

const invoiceAt = (of: Order, at: string, subtotal: string, discount: string, total: string): Upcoming => {
  const none = fromMinor(0n, of.currency)
  return {
    total_amount: total,
    subtotal_amount: subtotal,
    tax_amount: none,
    shipping_amount: none,
    discount_amount: discount,
    currency: of.currency,
    next_invoice_date: at,
  }
}

const renewal = (of: Order, { quantity }: Line, { amount }: Price): Upcoming => {
  const { currency, next_charge_at } = of
  const total = fromMinor((toMinor(amount, currency) ?? 0n) * BigInt(quantity), currency)
  return invoiceAt(of, next_charge_at ?? '', total, fromMinor(0n, currency), total)
}

/**
 * What it comes to that a subscription moves to another price (contract, Orders::LineItems::Change).
 *
 * Refuses, by code: `invalid_effective_time`, `not_eligible`, `same_target`, `target_not_allowed`.
 */
export const termsOf = (standing: Standing, line: Line, wanted: Wanted, offer: Offer, at: string): Terms | Refusal => {
  const { order: of, lines, invoices } = standing
  const { target, prices, variant } = offer
  const { effective_time: sent = null, products_price_id } = wanted
  if (sent !== null && sent !== 'now' && sent !== 'next_renewal')
    return refuse.invalid('Effective time must be now or next_renewal', TIME, 'invalid_effective_time')
  const because = whyNot({ order: of, lines, invoices }, line, prices)
  if (because !== undefined) return ineligible(because)
  if (products_price_id === line.products_price_id)
    return refuse.invalid('The subscription has this price already', PRICE, 'same_target')
  const direction = directionOf(offer)
  if (!target || !direction || target.archived) return refuse.invalid(NOT_ALLOWED, PRICE, 'target_not_allowed')
  const isUpgrade = direction === 'upgrade'
  const effective_time = sent ?? (isUpgrade ? 'now' : 'next_renewal')
  const prorate = variant?.product_type !== 'physical' && (wanted.prorate ?? isUpgrade)
  const period = of.in_trial ? undefined : periodOf(of, line, prices, at)
  const isNow = effective_time === 'now' && period !== undefined
  if (isNow && invoices.some(({ automatic, status }) => automatic && OPEN.has(status)))
    return ineligible('an invoice of it is not paid')
  const came = isNow
    ? atOnce(of, line, period, target, prorate, at)
    : { schedule: atRenewal(of, target), now: undefined }
  if (!came)
    return refuse.invalid(
      'Effective time must be next_renewal: more than a period of the new price is paid',
      TIME,
      'invalid_effective_time',
    )
  const { schedule, now } = came
  const running = now || !period ? null : { price_id: period.price.id, periods: of.periods, since: period.since }
  return {
    ...{ direction, prorate, effective_time, target, schedule, now },
    running: running?.price_id === target.id && !schedule ? null : running,
    upcoming: now
      ? invoiceAt(of, at, now.subtotal, now.discount, now.total)
      : renewal({ ...of, ...schedule }, line, target),
  }
}
