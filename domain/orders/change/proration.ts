import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, toMinor } from '../../kernel/values/money.ts'
import type { price } from '../../store/public.ts'
import { type Plan, periodStart, rhythmOf } from '../billing/schedule.ts'
import type { lineItem } from '../order/line-item.ts'
import type { order } from '../order/model.ts'

type Order = RecordOf<typeof order>
type Line = RecordOf<typeof lineItem>
type Price = RecordOf<typeof price>

/** Position of a subscription in its plan. */
export type Schedule = Pick<Order, 'plan' | 'periods' | 'next_charge_at'>

/** Immediate charge. Amounts are in the currency's scale: `amount` is per unit, `discount` is for the whole line. */
export interface ChargedNow {
  readonly amount: string
  readonly discount: string
  readonly subtotal: string
  readonly total: string
  /** Period that it pays for; `null`: the rest of a period that is paid already. */
  readonly period: number | null
}

/** Fraction of an amount; half a minor unit rounds up. */
const partOf = (minor: bigint, part: number, whole: number): bigint => {
  const [numerator, denominator] = [BigInt(part), BigInt(whole)]
  return (2n * minor * numerator + denominator) / (2n * denominator)
}

/** Running period: its price and start, and in milliseconds the paid time that is left and its whole length. */
export interface Period {
  readonly price: Price
  readonly since: string
  readonly left: number
  readonly whole: number
}

/** Id of the price at which the running period was paid. */
export const runningPriceOf = ({ periods }: Order, { running, products_price_id }: Line): number =>
  running?.periods === periods ? running.price_id : products_price_id

/** Returns the running period; `undefined` before the first one. */
export const periodOf = (subscription: Order, line: Line, prices: readonly Price[], at: string): Period | undefined => {
  const { plan, periods, next_charge_at, paid_until } = subscription
  const price = prices.find(({ id }) => id === runningPriceOf(subscription, line))
  const since = line.running?.periods === periods ? line.running.since : plan && periodStart(plan, periods - 1)
  if (!price || !since || next_charge_at === null) return undefined
  const to = Date.parse(next_charge_at)
  const left = Math.max(0, Math.min(to, Date.parse(paid_until ?? at)) - Date.parse(at))
  return { price, since, left, whole: to - Date.parse(since) }
}

const isSame = (one: Pick<Plan, 'interval' | 'count'>, other: Pick<Plan, 'interval' | 'count'>): boolean =>
  one.interval === other.interval && one.count === other.count

/** Returns the schedule when the next period follows the rhythm of another price; `undefined` when nothing changes. */
export const atRenewal = ({ plan, periods, next_charge_at }: Order, target: Price): Schedule | undefined => {
  const rhythm = rhythmOf(target)
  if (!plan || next_charge_at === null || isSame(rhythm, plan)) return undefined
  return { plan: { ...plan, ...rhythm, anchor: next_charge_at, from: periods }, periods, next_charge_at }
}

/** Effects of an immediate change. */
export interface ImmediateChange {
  readonly schedule: Schedule | undefined
  readonly now: ChargedNow | undefined
}

/**
 * Immediate charge of a change, and the schedule after it. A price with the same rhythm costs the difference for the
 * rest of the period. A price with another rhythm begins a new period.
 *
 * @returns `undefined` where the new period would end before the time that is paid already
 */
export const atOnce = (
  subscription: Order,
  { quantity }: Line,
  { price, left, whole }: Period,
  target: Price,
  prorate: boolean,
  at: string,
): ImmediateChange | undefined => {
  const { currency, plan, periods, paid_until } = subscription
  const [old, fresh] = [price, target].map(({ amount }) => toMinor(amount, currency) ?? 0n) as [bigint, bigint]
  const times = BigInt(quantity)
  const money = (minor: bigint) => fromMinor(minor, currency)
  const charged = (amount: bigint, discount: bigint, period: number | null): ChargedNow => ({
    amount: money(amount),
    discount: money(discount),
    subtotal: money(amount * times),
    total: money(amount * times - discount),
    period,
  })
  if (isSame(rhythmOf(target), rhythmOf(price))) {
    const more = fresh > old && prorate ? partOf(fresh - old, left, whole) : 0n
    return { schedule: atRenewal(subscription, target), now: more > 0n ? charged(more, 0n, null) : undefined }
  }
  const next = plan && { ...plan, ...rhythmOf(target), anchor: at, from: periods }
  const until = next && periodStart(next, periods + 1)
  if (until === null || (paid_until !== null && until <= paid_until)) return undefined
  const credit = prorate ? partOf(old * times, left, whole) : 0n
  const owed = fresh * times
  return {
    schedule: { plan: next, periods: periods + 1, next_charge_at: until },
    now: charged(fresh, credit < owed ? credit : owed, periods),
  }
}
