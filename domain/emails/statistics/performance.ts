import { type TProperties, Type } from 'typebox'
import type { FactReader } from '../../kernel/decide/command.ts'
import { inStretches } from '../../kernel/ports/read-on.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { fromMinor } from '../../kernel/values/money.ts'
import { perEach, readCells, type Window } from '../../statistics/public.ts'
import { COUNTED, type Counted, type Revenue, revenueIn } from './counts.ts'
import { MAIL_SUMS, type MailScope, mailScope, STEP_RECIPIENTS } from './tally.ts'

/** Numbers of mails in a window. */
export interface MailNumbers {
  readonly counts: { readonly [name in Counted]: number }
  readonly revenue: Revenue
}

const NONE = Object.fromEntries(COUNTED.map((name) => [name, 0])) as { readonly [name in Counted]: number }

/** Returns the numbers of a broadcast or step in a window between whole minutes. Money in other currencies is left out. */
export const mailNumbers = async (
  scope: MailScope,
  { from, to }: Window,
  currency: string,
  read: FactReader,
): Promise<MailNumbers> => {
  const counts = { ...NONE }
  let [orders, total] = [0, 0n]
  for (const cell of await readCells(mailScope(scope), from, to, read, MAIL_SUMS)) {
    for (const name of COUNTED) counts[name] += Number(cell[name] ?? 0)
    const revenue = revenueIn(cell, currency)
    orders += revenue.orders
    total += revenue.total
  }
  return { counts, revenue: { orders, total } }
}

const PAGE = 500

/** Returns how many of the mails of a step in a window were further ones to contacts who got it before in the window. */
export const repeatedSends = async (stepId: number, { from, to }: Window, read: FactReader): Promise<number> => {
  let repeated = 0
  const query = { where: { step_id: stepId, repeated_at: { $gte: from } }, sort: { by: 'repeated_at' }, limit: PAGE }
  for await (const found of inStretches((next) => read.find(STEP_RECIPIENTS, next), query))
    for (const { times } of found) {
      const within = (Array.isArray(times) ? times : []).filter((at) => Number(at) >= from && Number(at) < to)
      repeated += Math.max(0, within.length - 1)
    }
  return repeated
}

const percent = (part: number, whole: number): number => (whole <= 0 ? 0 : Math.round((100 * part) / whole))

/** Returns the shares of recipients, in whole percent. They can pass 100, since each event is counted by its own time. */
export const ratesOf = ({ counts }: Pick<MailNumbers, 'counts'>, recipients: number): JsonObject => ({
  open_rate: percent(counts.unique_opens, recipients),
  click_rate: percent(counts.unique_clicks, recipients),
  click_to_open_rate: percent(counts.unique_clicks, counts.unique_opens),
  bounce_rate: percent(counts.bounced, recipients),
  unsubscribe_rate: percent(counts.unsubscribed, recipients),
})

/** Returns what was sold after clicks. */
export const revenueOf = ({ counts, revenue }: MailNumbers, recipients: number, currency: string): JsonObject => {
  const amount = (each: number) => fromMinor(perEach(revenue.total, each), currency)
  return {
    total: fromMinor(revenue.total, currency),
    orders_count: revenue.orders,
    per_recipient: amount(recipients),
    per_unique_open: amount(counts.unique_opens),
    per_unique_click: amount(counts.unique_clicks),
  }
}

const integers = (names: readonly string[]): TProperties =>
  Object.fromEntries(names.map((name) => [name, Type.Integer()]))

/** Names of what both broadcasts and steps show. */
export const SHARED = COUNTED.filter((name) => name !== 'sends' && name !== 'failed')

/** Schema of the numbers of mails, with further ones. */
export const performanceSchema = (...more: readonly string[]) =>
  Type.Object({
    ...integers([...more, ...SHARED]),
    ...integers(['open_rate', 'click_rate', 'click_to_open_rate', 'bounce_rate', 'unsubscribe_rate']),
  })

const money = Type.String()

/** Fields of what was sold after clicks. */
export const revenueFields = {
  total: money,
  orders_count: Type.Integer({
    description: 'Orders that were placed within 30 days after the last click of the buyer',
  }),
  per_recipient: money,
  per_unique_open: money,
  per_unique_click: money,
}

/** Returns the numbers that both broadcasts and steps show. */
export const shared = ({ counts }: Pick<MailNumbers, 'counts'>): JsonObject =>
  Object.fromEntries(SHARED.map((name) => [name, counts[name]]))
