import type { Json, JsonObject } from '../kernel/values/event.ts'
import { isJsonObject } from '../kernel/values/event.ts'

/** Money and counts of sales in one currency. Amounts are minor units as decimal text, because their sums may exceed what a number holds exactly. */
export interface SalesSums {
  /** Purchases: orders whose first invoice was paid. */
  readonly sales: number
  /** Purchases with something that is paid once. */
  readonly upfront_sales: number
  /** Subscriptions and instalment plans that began. */
  readonly started: number
  readonly upfront: bigint
  readonly recurring: bigint
  readonly refunds: bigint
}

export const NO_SALES: SalesSums = { sales: 0, upfront_sales: 0, started: 0, upfront: 0n, recurring: 0n, refunds: 0n }

/** What an event adds to the numbers of a step, or takes away from them, at one moment. */
export interface Addition {
  readonly funnelId: number
  readonly stepId: number
  readonly live: boolean
  /** When it happened, in milliseconds since 1970. */
  readonly at: number
  /** When it was recorded. */
  readonly recordedAt: number
  readonly views: number
  /** Views without consent, which belong to no session. */
  readonly unidentified: number
  /** Views of the funnel that have not arrived, as this one shows. */
  readonly lost: number
  readonly optins: number
  /** 1 for a view of a session, -1 for one whose previous view has become another, 0 for what is no view of a session. */
  readonly sessionViews: number
  /** The session's previous view of the step, in milliseconds since 1970; `null` before its first. */
  readonly previousAt: number | null
  readonly currency?: string
  readonly sums?: Partial<SalesSums>
}

/** Returns the sum of two records of sales; the second is added `times` times. */
export const addSales = (a: SalesSums, b: Partial<SalesSums>, times = 1): SalesSums => {
  const by = BigInt(times)
  return {
    sales: a.sales + times * (b.sales ?? 0),
    upfront_sales: a.upfront_sales + times * (b.upfront_sales ?? 0),
    started: a.started + times * (b.started ?? 0),
    upfront: a.upfront + by * (b.upfront ?? 0n),
    recurring: a.recurring + by * (b.recurring ?? 0n),
    refunds: a.refunds + by * (b.refunds ?? 0n),
  }
}

const numberIn = (value: Json | undefined): number => (typeof value === 'number' ? value : 0)
const amountIn = (value: Json | undefined): bigint => (typeof value === 'string' ? BigInt(value) : 0n)

/** Returns the sums as documents hold them, without those that are zero. */
export const storedSales = (sums: Partial<SalesSums>): JsonObject =>
  Object.fromEntries(
    Object.entries(sums).flatMap(([name, value]): [string, Json][] =>
      value ? [[name, typeof value === 'bigint' ? String(value) : value]] : [],
    ),
  )

/** Reads sums out of a document. */
export const salesIn = (stored: Json | undefined): SalesSums => {
  if (!isJsonObject(stored)) return NO_SALES
  return {
    sales: numberIn(stored.sales),
    upfront_sales: numberIn(stored.upfront_sales),
    started: numberIn(stored.started),
    upfront: amountIn(stored.upfront),
    recurring: amountIn(stored.recurring),
    refunds: amountIn(stored.refunds),
  }
}
