import type { RecordOf } from '../../kernel/model/model.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { price } from '../../store/public.ts'
import { later, type Plan, rhythmOf } from '../billing/schedule.ts'

type Price = RecordOf<typeof price>

/** Schedule with which a subscription begins. */
export type SubscriptionStart = { readonly plan: Plan | null; readonly trial_end_at: string | null }

/** Whether a price begins with a trial. */
export const hasTrial = ({
  trial_interval,
  trial_duration,
}: Pick<Price, 'trial_interval' | 'trial_duration'>): boolean => trial_interval !== null && (trial_duration ?? 0) > 0

/** Whether a price is charged again and again. */
export const recurs = ({ payment_type }: Pick<Price, 'payment_type'>): boolean => payment_type !== 'one_time'

/** Amount of one unit at the checkout. A recurring price costs its setup fee plus the first period or the trial. */
export const firstAmount = (price: Price, currency: string): string => {
  if (!recurs(price)) return price.amount
  const first = minorOf(hasTrial(price) ? (price.trial_amount ?? '0') : price.amount, currency)
  return fromMinor(first + minorOf(price.setup_amount ?? '0', currency), currency)
}

const rhythm = ({ interval, interval_count, duration, trial_interval, trial_duration, payment_type }: Price): string =>
  JSON.stringify({ interval, interval_count, duration, trial_interval, trial_duration, payment_type })

/**
 * Plan of recurring prices that are bought together. They are charged together, so they must share one rhythm.
 *
 * @param zone zone in which its periods are counted
 */
export const startOf = (
  prices: readonly Price[],
  at: string,
  zone: string,
  field: string,
): SubscriptionStart | Refusal => {
  const [first, ...others] = prices.filter(recurs)
  if (!first) return { plan: null, trial_end_at: null }
  if (others.some((other) => rhythm(other) !== rhythm(first)))
    return refuse.invalid('Prices that recur must have one interval, trial and number of payments', field, 'invalid')
  const { duration, trial_interval, trial_duration } = first
  const trial_end_at = hasTrial(first) ? later(at, zone, trial_interval ?? '', trial_duration ?? 0) : null
  const payments = duration !== null && duration > 0 ? duration : null
  const plan = {
    anchor: trial_end_at ?? at,
    zone,
    ...rhythmOf(first),
    payments,
  }
  return { plan, trial_end_at }
}
