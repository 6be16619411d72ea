import { type Plan, periodStart } from './schedule.ts'

const HOUR = 60 * 60 * 1000
const DAY = 24 * HOUR

/** An unpaid invoice is past due after a day. */
const PAST_DUE_MS = DAY
/** Grace period of an invoice; the contract leaves it open. */
const GRACE_MS = 30 * DAY
/** Days from one attempt to charge an invoice to the next; the contract leaves the retries open. */
const RETRIES_DAYS = [1, 3, 5, 7]

const after = (at: string, ms: number): string => new Date(Date.parse(at) + ms).toISOString()

/** Time of the next charge after the nth attempt; `null`: no more attempts. */
export const retryAfter = (attempt: number, at: string): string | null => {
  const days = RETRIES_DAYS[attempt - 1]
  return days === undefined ? null : after(at, days * DAY)
}

interface Billed {
  readonly automatic: boolean
  readonly status: string
  readonly due_at: string | null
  readonly retry_at: string | null
}

const isOwed = ({ automatic, status }: Billed): boolean => automatic && (status === 'unpaid' || status === 'past-due')

/** Timers of an unpaid invoice that we charge. */
export const invoiceTimers = {
  'past-due': {
    due: ({ automatic, status, due_at }: Billed) =>
      automatic && status === 'unpaid' && due_at !== null ? after(due_at, PAST_DUE_MS) : null,
  },
  retry: { due: (invoice: Billed) => (isOwed(invoice) ? invoice.retry_at : null) },
  grace: {
    due: (invoice: Billed) => (isOwed(invoice) && invoice.due_at !== null ? after(invoice.due_at, GRACE_MS) : null),
  },
}

interface Subscription {
  readonly plan: Plan | null
  readonly service_status: string
  readonly next_charge_at: string | null
  readonly paid_until: string | null
  readonly churned_at: string | null
  readonly in_trial: boolean
  readonly trial_end_at: string | null
}

/** Timers of a subscription that we charge. */
export const orderTimers = {
  renewal: {
    due: ({ plan, service_status, next_charge_at }: Subscription) =>
      plan && service_status === 'active' ? next_charge_at : null,
  },
  end: {
    due: ({ plan, service_status, churned_at }: Subscription) =>
      plan && service_status === 'canceled' ? churned_at : null,
  },
  /** A trial that ends before the first period begins; otherwise the renewal ends it. */
  'trial-end': {
    due: ({ in_trial, trial_end_at, next_charge_at, service_status }: Subscription) =>
      in_trial && service_status === 'active' && trial_end_at !== null && (next_charge_at ?? '') > trial_end_at
        ? trial_end_at
        : null,
  },
  'run-out': {
    due: ({ plan, service_status, paid_until }: Subscription) =>
      plan?.payments && service_status === 'active' && paid_until === periodStart(plan, plan.payments)
        ? paid_until
        : null,
  },
}
