import { Type } from 'typebox'
import type { JsonObject } from '../kernel/values/event.ts'
import { fromMinor } from '../kernel/values/money.ts'
import { dateTime } from '../resources/schemas.ts'
import { NO_SALES, type SalesSums } from './addition.ts'
import type { Totals } from './totals.ts'
import type { Window } from './window.ts'

const money = (description?: string) => Type.String({ ...(description !== undefined && { description }) })
const count = (description?: string) => Type.Integer({ ...(description !== undefined && { description }) })
const rate = (description: string) => Type.Number({ minimum: 0, maximum: 1, description })

export const timerangeSchema = Type.Object(
  { from: dateTime, to: dateTime },
  { description: 'Used range; `to` is not part of it' },
)

export const summarySchema = Type.Object({
  earnings_per_click: money('upfront_sales / pageviews'),
  upfront_sales: money('What was paid once, gross, by the time of the payment'),
  upfront_sales_count: count('Purchases with something that is paid once'),
  recurring_sales: money('What subscriptions and instalment plans have paid'),
  average_cart_value: money('upfront_sales / upfront_sales_count'),
  pageviews: count('Views of all steps, also of those that were removed since'),
  pageviews_without_consent: count('Those among them that belong to no session'),
  pageviews_lost: count('Views that have not arrived, as the numbers of later ones show; they are in no other number'),
  refunds: money('What was given back, by the time of the refund'),
  sales_in_other_currencies: count(
    'Purchases in another currency than that of the workspace, which are not in any other number',
  ),
})

export const stepSchema = Type.Object({
  page_id: Type.Integer(),
  name: Type.String(),
  current_path: Type.String({ description: 'Path of the step' }),
  views_all: count(),
  views_unique: count('Sessions with a view in the range'),
  views_without_consent: count('Views that belong to no session'),
  optins: count(),
  optin_rate: rate('optins / views_unique'),
  sales_count: count('Purchases'),
  sales_rate: rate('sales_count / views_unique'),
  sales_value: money('What was paid once, gross, by the time of the payment'),
  recurring_sales_count: count('Subscriptions and instalment plans that began'),
  recurring_sales_value: money('What subscriptions and instalment plans have paid'),
  refunds_value: money('What was given back, by the time of the refund'),
  earnings_per_view: money('sales_value / views_all'),
  earnings_per_unique_view: money('sales_value / views_unique'),
})

/** Returns a part of a whole, with three decimals and at most 1: there may be more opt-ins than sessions, or ones whose view was before the range. */
export const rateOf = (part: number, whole: number): number =>
  whole <= 0 ? 0 : Math.min(1, Math.round((1000 * part) / whole) / 1000)

/** Returns an amount for each of a number, rounded half up; zero for none. */
export const perEach = (minor: bigint, each: number): bigint => {
  if (each <= 0) return 0n
  const by = BigInt(each)
  const doubled = 2n * minor + by
  const quotient = doubled / (2n * by)
  return doubled < 0n && doubled % (2n * by) !== 0n ? quotient - 1n : quotient
}

const salesIn = ({ sales }: Totals, currency: string): SalesSums => sales.get(currency) ?? NO_SALES

/** Returns the numbers of a whole funnel. */
export const summaryOf = (totals: Totals, currency: string): JsonObject => {
  const { upfront, upfront_sales, recurring, refunds } = salesIn(totals, currency)
  const amount = (minor: bigint) => fromMinor(minor, currency)
  const others = [...totals.sales].flatMap(([other, { sales }]) => (other === currency ? [] : sales))
  return {
    earnings_per_click: amount(perEach(upfront, totals.views)),
    upfront_sales: amount(upfront),
    upfront_sales_count: upfront_sales,
    recurring_sales: amount(recurring),
    average_cart_value: amount(perEach(upfront, upfront_sales)),
    pageviews: totals.views,
    pageviews_without_consent: totals.unidentified,
    // One that is late counts back where it arrives, which may be after the window of its loss.
    pageviews_lost: Math.max(0, totals.lost),
    refunds: amount(refunds),
    sales_in_other_currencies: others.reduce((sum, sales) => sum + sales, 0),
  }
}

/** Page that a step shows, and the path of the step. */
export interface ShownStep {
  readonly page_id: number
  readonly name: string
  readonly current_path: string
}

/** Returns the numbers of a step. */
export const stepNumbers = (step: ShownStep, totals: Totals, currency: string): JsonObject => {
  const { views, unidentified, sessions, optins } = totals
  const { sales, started, upfront, recurring, refunds } = salesIn(totals, currency)
  const amount = (minor: bigint) => fromMinor(minor, currency)
  return {
    ...step,
    views_all: views,
    views_unique: sessions,
    views_without_consent: unidentified,
    optins,
    optin_rate: rateOf(optins, sessions),
    sales_count: sales,
    sales_rate: rateOf(sales, sessions),
    sales_value: amount(upfront),
    recurring_sales_count: started,
    recurring_sales_value: amount(recurring),
    refunds_value: amount(refunds),
    earnings_per_view: amount(perEach(upfront, views)),
    earnings_per_unique_view: amount(perEach(upfront, sessions)),
  }
}

/** Returns a window as answers show it. */
export const timerangeOf = ({ from, to }: Window): JsonObject => ({
  from: new Date(from).toISOString(),
  to: new Date(to).toISOString(),
})
