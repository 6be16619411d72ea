import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import type { price } from '../../store/public.ts'
import { type AgreedPrice, priceOf } from '../agreed-price.ts'
import { type Plan, periodStart, rhythmOf, withoutLead, withRhythm } from '../billing/schedule.ts'
import type { lineItem } from '../order/line-item.ts'
import type { order } from '../order/model.ts'
import type { PaidShare, Share } from './paid-share.ts'

type Order = RecordOf<typeof order>
type Line = RecordOf<typeof lineItem>

/** Position of a subscription in its plan. */
export type Schedule = Pick<Order, 'plan' | 'periods' | 'next_charge_at'>

/** Immediate charge. Amounts are in the currency's scale: `amount` is per unit, `discount` is for the whole line. */
export interface ChargedNow {
  readonly amount: string
  readonly quantity: number
  readonly discount: string
  readonly subtotal: string
  readonly total: string
  /** Period that it pays for; `null`: the rest of a period that is paid already. */
  readonly period: number | null
}

/** Running period: its price and start, and in milliseconds the paid time that is left and its whole length. */
export interface Period {
  readonly price: AgreedPrice
  readonly since: string
  readonly left: number
  readonly whole: number
}

type Catalogue = readonly RecordOf<typeof price>[]

/** Returns the price at which the running period was paid, by its id and as it was agreed. */
export const runningPrice = (
  { periods }: Order,
  line: Line,
): { readonly id: number; readonly agreed: AgreedPrice | null } =>
  line.running?.periods === periods
    ? { id: line.running.price_id, agreed: line.running.price ?? null }
    : { id: line.products_price_id, agreed: line.agreed }

/** Returns the running period; `undefined` before the first one. */
export const periodOf = (subscription: Order, line: Line, prices: Catalogue, at: string): Period | undefined => {
  const { plan, periods, next_charge_at, paid_until } = subscription
  const { id: products_price_id, agreed } = runningPrice(subscription, line)
  const price = priceOf({ products_price_id, agreed }, prices)
  const since = line.running?.periods === periods ? line.running.since : plan && periodStart(plan, periods - 1)
  if (!price || !since || next_charge_at === null) return undefined
  const to = Date.parse(next_charge_at)
  const whole = to - Date.parse(since)
  // A clock that was set back may show a time before the period.
  const left = Math.min(whole, Math.max(0, Math.min(to, Date.parse(paid_until ?? at)) - Date.parse(at)))
  return { price, since, left, whole }
}

const isSame = (one: Pick<Plan, 'interval' | 'count'>, other: Pick<Plan, 'interval' | 'count'>): boolean =>
  one.interval === other.interval && one.count === other.count

/** Returns the schedule when the next period follows the rhythm of another price; `undefined` when nothing changes. */
export const atRenewal = ({ plan, periods, next_charge_at }: Order, target: AgreedPrice): Schedule | undefined => {
  const rhythm = rhythmOf(target)
  if (!plan || next_charge_at === null || isSame(rhythm, plan)) return undefined
  return { plan: withRhythm(plan, rhythm, periods, next_charge_at), periods, next_charge_at }
}

/** Effects of an immediate change. */
export interface ImmediateChange {
  readonly schedule: Schedule | undefined
  readonly now: ChargedNow | undefined
}

/** Input of an immediate change. */
export interface Move {
  readonly subscription: Order
  readonly quantity: number
  readonly period: Period
  readonly target: AgreedPrice
  /** Share of the running period that was paid. */
  readonly share: PaidShare
  readonly at: string
}

/** Value of the time that is left of a period, as far as it was paid, as a fraction of minor units. */
const valueLeft = ({ subscription: { currency }, quantity, period: { price, left, whole }, share }: Move): Share => {
  const due = BigInt(whole) * share.due
  const paid = minorOf(price.amount, currency) * BigInt(quantity) * BigInt(left) * share.paid
  const most = share.received * due
  return { paid: paid < most ? paid : most, due }
}

/** Charge for a price with the same rhythm: the difference for the rest of the period, rounded once for the whole line. */
const difference = (move: Move): ChargedNow | undefined => {
  const { subscription, quantity, period, target, share } = move
  const { currency } = subscription
  const fresh = minorOf(target.amount, currency) * BigInt(quantity) * BigInt(period.left)
  const value = valueLeft(move)
  const more = fresh * share.due - value.paid
  const amount = more > 0n ? (2n * more + value.due) / (2n * value.due) : 0n
  if (amount === 0n) return undefined
  const total = fromMinor(amount, currency)
  return { amount: total, quantity: 1, discount: fromMinor(0n, currency), subtotal: total, total, period: null }
}

/**
 * Immediate charge of a change, and the schedule after it. A price with the same rhythm costs the difference for the
 * rest of the period. A price with another rhythm begins a new period, less a credit for what is left of the running
 * one.
 *
 * @returns `undefined` where the new period would end before the time that is paid already
 */
export const atOnce = (move: Move, prorate: boolean): ImmediateChange | undefined => {
  const { subscription, quantity, period, target, at } = move
  const { currency, plan, periods, paid_until } = subscription
  if (isSame(rhythmOf(target), rhythmOf(period.price)))
    return { schedule: atRenewal(subscription, target), now: prorate ? difference(move) : undefined }
  const next = plan && { ...withoutLead(plan), ...rhythmOf(target), anchor: at, from: periods }
  const until = next && periodStart(next, periods + 1)
  if (until === null || (paid_until !== null && until <= paid_until)) return undefined
  const fresh = minorOf(target.amount, currency)
  const owed = fresh * BigInt(quantity)
  const value = valueLeft(move)
  const left = prorate ? value.paid / value.due : 0n
  const credit = left < owed ? left : owed
  const money = (minor: bigint) => fromMinor(minor, currency)
  return {
    schedule: { plan: next, periods: periods + 1, next_charge_at: until },
    now: {
      ...{
        amount: money(fresh),
        quantity,
        discount: money(credit),
        subtotal: money(owed),
        total: money(owed - credit),
      },
      period: periods,
    },
  }
}
