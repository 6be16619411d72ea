import type { ActContext, Events } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { invoice } from '../invoice/model.ts'
import { order } from '../order/model.ts'
import { CANCEL_REASONS, isOpen, isOwed } from '../statuses.ts'
import { orderBilled } from './events.ts'

const { event } = order

/** Reasons of processors that have their own list. */
const REASONS: Readonly<Record<string, readonly string[]>> = {
  payments_ai: ['did-not-use', 'did-not-want', 'missing-features', 'too-expensive', 'bugs-or-problems', 'other'],
}
const RUNNING: ReadonlySet<string> = new Set(['pending', 'active', 'paused'])
const NEXT_RENEWAL = 'next_renewal'
/** Values of `effective_date`. The contract names the first; the others mean at once. */
const DATES: readonly string[] = [NEXT_RENEWAL, 'now', 'immediate', 'immediately']

export type Cancelling = {
  readonly effective_date?: string | null
  readonly cancelation_proration?: boolean | null
  readonly voidable_invoices?: readonly number[] | null
}

type Asked = ActContext<typeof order, Cancelling>

const invalid = (says: string, field: string): Refusal => refuse.invalid(says, `order.${field}`, 'invalid')

/** Tells whether a subscription is canceled but runs until the end of what is paid. */
export const endsLater = (
  { service_status, churned_at }: Pick<RecordOf<typeof order>, 'service_status' | 'churned_at'>,
  at: string,
): boolean => service_status === 'canceled' && churned_at !== null && churned_at > at

const problem = ({ before, wanted, at }: Asked): Refusal | undefined => {
  const { order_type, payment_processor, service_status } = before
  if (order_type !== 'subscription-order') return invalid('Only subscription orders can be canceled', 'order_type')
  if (payment_processor === 'external')
    return invalid('External subscription orders cannot be canceled through this endpoint', 'payment_processor')
  const date = wanted.effective_date ?? NEXT_RENEWAL
  if (!DATES.includes(date))
    return invalid(`Invalid effective date '${date}'. Valid values: ${DATES.join(', ')}`, 'effective_date')
  if (!RUNNING.has(service_status) && !(endsLater(before, at) && date !== NEXT_RENEWAL))
    return invalid(`The subscription is ${service_status} already`, 'service_status')
  const valid = REASONS[payment_processor] ?? CANCEL_REASONS
  const { cancel_reason: reason = 'other' } = wanted
  if (reason !== null && !valid.includes(reason))
    return invalid(`Invalid reason '${reason}'. Valid values: ${valid.join(', ')}`, 'cancel_reason')
  // Only whole charges are refunded, so the rest of a period is not.
  return wanted.cancelation_proration
    ? invalid('Cancelation proration is not supported', 'cancelation_proration')
    : undefined
}

/** Events that end invoices: those that are named are voided, and the others that we charge are abandoned. */
const endInvoices = (
  { before, records }: Pick<Asked, 'before' | 'records'>,
  voided: readonly number[],
  atOnce: boolean,
): Events<typeof order> => {
  const own = records.all(invoice)
  const abandoned = atOnce ? own.filter((one) => isOwed(one) && !voided.includes(one.id)).map(({ id }) => id) : []
  const newest = own.at(-1)?.id ?? 0
  return [
    ...voided.map((invoice_id) => event.InvoiceVoided({ invoice_id })),
    ...abandoned.map((invoice_id) => event.InvoiceAbandoned({ invoice_id })),
    ...(voided.includes(newest) ? [orderBilled(before, 'voided')] : []),
    ...(abandoned.includes(newest) ? [orderBilled(before, 'abandoned')] : []),
  ]
}

/**
 * Ends a subscription at the end of what is paid, or at once, and voids the unpaid invoices that are named (operationId
 * cancelOrder). One that ends at once is not charged any more. The schedule is ours, so the gateway is not called.
 */
export const cancel = (asked: Asked): Events<typeof order> | Refusal => {
  const { before, wanted, at, records } = asked
  const refusal = problem(asked)
  if (refusal) return refusal
  const voided = [...new Set(wanted.voidable_invoices ?? [])]
  const own = records.all(invoice)
  if (voided.some((id) => !own.some((one) => one.id === id && isOpen(one))))
    return invalid('Voidable invoices contain ids that are not of unpaid invoices of this order', 'voidable_invoices')
  const atOnce =
    (wanted.effective_date ?? NEXT_RENEWAL) !== NEXT_RENEWAL || before.paid_until === null || before.paid_until <= at
  const changed = {
    canceled_at: at,
    canceled_by: wanted.canceled_by ?? 'API',
    cancel_reason: wanted.cancel_reason ?? 'other',
    cancel_description: wanted.cancel_description ?? '',
    churned_at: atOnce ? at : before.paid_until,
    next_charge_at: null,
  }
  return [
    ...endInvoices(asked, voided, atOnce),
    ...(before.service_status === 'canceled' ? [] : [event.SubscriptionCanceled()]),
    event.OrderChanged(changed),
    ...(atOnce ? [event.SubscriptionChurned()] : []),
  ]
}

/**
 * Ends everything that bills a contact who is being erased, at once. Never refuses, so that the erasure is not held up by an
 * order that has ended meanwhile.
 */
export const stopBilling = (asked: ActContext<typeof order>): Events<typeof order> => {
  const { before, at } = asked
  if (before.payment_processor === 'external') return []
  const runs =
    before.order_type === 'subscription-order' && (RUNNING.has(before.service_status) || endsLater(before, at))
  if (!runs) return endInvoices(asked, [], true)
  const result = cancel({ ...asked, wanted: { effective_date: 'now', canceled_by: 'Erasure of the contact' } })
  if (result instanceof Refusal) throw new Error(`order ${before.id} cannot be ended: ${result.message}`)
  return result
}
