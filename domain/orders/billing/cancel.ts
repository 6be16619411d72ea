import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { invoice } from '../invoice/model.ts'
import { order } from '../order/model.ts'
import { CANCEL_REASONS } from '../statuses.ts'
import { orderBilled } from './events.ts'

const { event } = order

/** Reasons of processors that have their own list. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  payments_ai: ['did-not-use', 'did-not-want', 'missing-features', 'too-expensive', 'bugs-or-problems', 'other'],
}
const RUNNING: ReadonlySet<string> = new Set(['pending', 'active', 'paused'])
const OWED: ReadonlySet<string> = new Set(['unpaid', 'draft', 'past-due'])

export type Cancelling = {
  readonly effective_date?: string | null
  readonly cancelation_proration?: boolean | null
  readonly voidable_invoices?: readonly number[] | null
}

type Asked = ActContext<typeof order, Cancelling>

const invalid = (says: string, field: string): Refusal => refuse.invalid(says, `order.${field}`, 'invalid')

const problem = ({ before, wanted }: Asked): Refusal | undefined => {
  const { order_type, payment_processor, service_status } = before
  if (order_type !== 'subscription-order') return invalid('Only subscription orders can be canceled', 'order_type')
  if (payment_processor === 'external')
    return invalid('External subscription orders cannot be canceled through this endpoint', 'payment_processor')
  if (!RUNNING.has(service_status)) return invalid(`The subscription is ${service_status} already`, 'service_status')
  const valid = REASONS[payment_processor] ?? CANCEL_REASONS
  const { cancel_reason: reason = 'other' } = wanted
  if (reason !== null && !valid.includes(reason))
    return invalid(`Invalid reason '${reason}'. Valid values: ${valid.join(', ')}`, 'cancel_reason')
  // Only whole charges are refunded, so the rest of a period is not.
  return wanted.cancelation_proration
    ? invalid('Cancelation proration is not supported', 'cancelation_proration')
    : undefined
}

/**
 * Ends a subscription at the end of what is paid, or at once, and voids the unpaid invoices that are named (operationId
 * cancelOrder). The schedule is ours, so the gateway is not called.
 */
export const cancel = (asked: Asked): Events<typeof order> | Refusal => {
  const { before, wanted, at, records } = asked
  const refusal = problem(asked)
  if (refusal) return refusal
  const own = records.all(invoice)
  const voided = [...new Set(wanted.voidable_invoices ?? [])]
  if (voided.some((id) => !own.some((one) => one.id === id && OWED.has(one.status))))
    return invalid('Voidable invoices contain ids that are not of unpaid invoices of this order', 'voidable_invoices')
  const atOnce =
    (wanted.effective_date ?? 'next_renewal') !== 'next_renewal' ||
    before.paid_until === null ||
    before.paid_until <= at
  const changed = {
    canceled_at: at,
    canceled_by: wanted.canceled_by ?? 'API',
    cancel_reason: wanted.cancel_reason ?? 'other',
    cancel_description: wanted.cancel_description ?? '',
    churned_at: atOnce ? at : before.paid_until,
    next_charge_at: null,
  }
  const newest = own.at(-1)?.id
  return [
    ...voided.map((invoice_id) => event.InvoiceVoided({ invoice_id })),
    ...(newest !== undefined && voided.includes(newest) ? [orderBilled(before, 'voided')] : []),
    event.SubscriptionCanceled(),
    event.OrderChanged(changed),
    ...(atOnce ? [event.SubscriptionChurned()] : []),
  ]
}
