import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, toMinor } from '../../kernel/values/money.ts'
import type { price } from '../../store/public.ts'
import { beginningOf, type Plan, rhythmOf } from '../billing/schedule.ts'
import type { lineItem } from '../order/line-item.ts'
import type { order } from '../order/model.ts'

type Order = RecordOf<typeof order>
type Line = RecordOf<typeof lineItem>
type Price = RecordOf<typeof price>

/** Where the plan of a subscription stands. */
export type Schedule = Pick<Order, 'plan' | 'periods' | 'next_charge_at'>

/** What is charged at once. Amounts are in the currency's scale: of one, and what is taken off all of them. */
export interface ChargedNow {
  readonly amount: string
  readonly discount: string
  readonly subtotal: string
  readonly total: string
  /** The period that it pays for; `null`: what is left of the one that is paid. */
  readonly period: number | null
}

/** A part of an amount, half a minor unit up. */
const partOf = (minor: bigint, part: number, whole: number): bigint => {
  const [of, all] = [BigInt(part), BigInt(whole)]
  return (2n * minor * of + all) / (2n * all)
}

/** The period that runs: at which price it is paid, and how much of it is paid and not used yet, in milliseconds. */
export interface Period {
  readonly price: Price
  readonly since: string
  readonly left: number
  readonly whole: number
}

/** The price at which the period that runs is paid. */
export const runningPriceOf = ({ periods }: Order, { running, products_price_id }: Line): number =>
  running?.periods === periods ? running.price_id : products_price_id

/** The period that runs; `undefined` before there is one. */
export const periodOf = (of: Order, line: Line, prices: readonly Price[], at: string): Period | undefined => {
  const { plan, periods, next_charge_at, paid_until } = of
  const price = prices.find(({ id }) => id === runningPriceOf(of, line))
  const since = line.running?.periods === periods ? line.running.since : plan && beginningOf(plan, periods - 1)
  if (!price || !since || next_charge_at === null) return undefined
  const to = Date.parse(next_charge_at)
  const left = Math.max(0, Math.min(to, Date.parse(paid_until ?? at)) - Date.parse(at))
  return { price, since, left, whole: to - Date.parse(since) }
}

const isSame = (one: Pick<Plan, 'interval' | 'count'>, other: Pick<Plan, 'interval' | 'count'>): boolean =>
  one.interval === other.interval && one.count === other.count

/** What becomes of the plan when its next period begins by the rhythm of a price. */
export const atRenewal = ({ plan, periods, next_charge_at }: Order, target: Price): Schedule | undefined => {
  const rhythm = rhythmOf(target)
  if (!plan || next_charge_at === null || isSame(rhythm, plan)) return undefined
  return { plan: { ...plan, ...rhythm, anchor: next_charge_at, from: periods }, periods, next_charge_at }
}

/** What comes of a change at once. */
export interface AtOnce {
  readonly schedule: Schedule | undefined
  readonly now: ChargedNow | undefined
}

/**
 * What is charged at once, and where the plan stands then: a price of the same rhythm costs what it is dearer by for the rest of the period, one
 * of another rhythm begins a period of its own.
 *
 * @returns `undefined` where that would end before what is paid
 */
export const atOnce = (
  of: Order,
  { quantity }: Line,
  { price, left, whole }: Period,
  target: Price,
  prorate: boolean,
  at: string,
): AtOnce | undefined => {
  const { currency, plan, periods, paid_until } = of
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
    return { schedule: atRenewal(of, target), now: more > 0n ? charged(more, 0n, null) : undefined }
  }
  const next = plan && { ...plan, ...rhythmOf(target), anchor: at, from: periods }
  const until = next && beginningOf(next, periods + 1)
  if (until === null || (paid_until !== null && until <= paid_until)) return undefined
  const credit = prorate ? partOf(old * times, left, whole) : 0n
  const owed = fresh * times
  return {
    schedule: { plan: next, periods: periods + 1, next_charge_at: until },
    now: charged(fresh, credit < owed ? credit : owed, periods),
  }
}
