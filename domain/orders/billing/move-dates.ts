import type { DecisionContext } from '../../kernel/decide/rules.ts'
import { moment } from '../../kernel/model/fields.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import type { order } from '../order/model.ts'
import { withoutLead } from './schedule.ts'

/** Dates of a subscription that clients may move. `null` and the present value change nothing. */
export const movableDates = {
  trial_end_at: moment({
    ...{ nullable: true, about: 'During a trial: its new end, with the first charge' },
    consequence: { says: 'changes when a buyer is charged' },
  }),
  renewal_at: moment({
    ...{ nullable: true, about: 'The next charge; what is paid is not extended. Not on Stripe orders' },
    consequence: { says: 'changes when a buyer is charged' },
  }),
}

type Dates = { readonly trial_end_at?: string | null; readonly renewal_at?: string | null }

/** Dates to move, as the rules get them. */
export type DatesToMove = { readonly dates: Dates }

/** Puts the dates of a request under one name, apart from the attributes, since rules decide whether they are set. */
export const withDates = ({ trial_end_at, renewal_at, ...fields }: JsonObject): JsonObject => ({
  ...fields,
  dates: { ...(trial_end_at !== undefined && { trial_end_at }), ...(renewal_at !== undefined && { renewal_at }) },
})
type Asked = DecisionContext<typeof order, DatesToMove>
type Order = NonNullable<Asked['before']>

const YEARS_AHEAD = 2
const RENEWABLE: ReadonlySet<string> = new Set(['pending', 'active', 'paused'])

const invalid = (says: string, field: keyof Dates): Refusal => refuse.invalid(says, `order.${field}`, 'invalid')

const timeProblem = (field: keyof Dates, value: string, at: string): Refusal | undefined => {
  if (value <= at) return invalid(`${field} must be in the future`, field)
  const latest = new Date(at)
  latest.setUTCFullYear(latest.getUTCFullYear() + YEARS_AHEAD)
  return value > latest.toISOString() ? invalid(`${field} must be at most two years ahead`, field) : undefined
}

const trialProblem = ({ plan, in_trial }: Order, value: string, at: string): Refusal | undefined => {
  if (!plan) return invalid('External orders have no processor-managed schedule', 'trial_end_at')
  if (!in_trial) return invalid('trial_end_at can only be adjusted while the order is in a trial', 'trial_end_at')
  return timeProblem('trial_end_at', value, at)
}

const renewalProblem = (before: Order, value: string, trialEnd: string | null, at: string): Refusal | undefined => {
  const { plan, payment_processor, service_status, next_charge_at } = before
  if (!plan) return invalid('External orders have no processor-managed schedule', 'renewal_at')
  if (payment_processor === 'stripe') return invalid('renewal_at cannot be adjusted on a Stripe order', 'renewal_at')
  if (!RENEWABLE.has(service_status) || next_charge_at === null)
    return invalid(`renewal_at cannot be adjusted while the order is ${service_status}`, 'renewal_at')
  if (trialEnd !== null && value < trialEnd)
    return invalid(`renewal_at ${value} is before the trial ends (${trialEnd})`, 'renewal_at')
  return timeProblem('renewal_at', value, at)
}

/** A date that was sent, unless it changes nothing. */
const sentDate = (sent: string | null | undefined, present: string | null): string | undefined =>
  sent === undefined || sent === null || sent === present ? undefined : sent

/**
 * Moves the end of a trial, or the next charge (operationId updateOrders). The paid period is neither shortened nor extended
 * by a new renewal date. A renewal after the end of the trial leaves the time between them free.
 */
export const moveDates = ({ before, wanted, at }: Asked) => {
  if (!before) return undefined
  const { dates = {} } = wanted
  const trialEnd = sentDate(dates.trial_end_at, before.trial_end_at)
  const renewal = sentDate(dates.renewal_at, before.next_charge_at)
  if (trialEnd === undefined && renewal === undefined) return undefined
  if (trialEnd !== undefined && renewal !== undefined && trialEnd !== renewal)
    return invalid('renewal_at and trial_end_at must be the same timestamp when sent together', 'renewal_at')
  const { plan, periods, in_trial } = before
  const openTrial = in_trial ? (trialEnd ?? before.trial_end_at) : null
  const problem =
    (trialEnd !== undefined && trialProblem(before, trialEnd, at)) ||
    (renewal !== undefined && trialEnd === undefined && renewalProblem(before, renewal, openTrial, at))
  if (problem) return problem
  const start = trialEnd ?? renewal
  if (!plan || start === undefined) return undefined
  return {
    plan: { ...withoutLead(plan), anchor: start, from: periods },
    next_charge_at: start,
    ...(trialEnd !== undefined && { trial_end_at: trialEnd, paid_until: trialEnd }),
  }
}
