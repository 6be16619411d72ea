/**
 * Billing statuses of an order: the status of its newest invoice, `pending` before there is one. Clients may set the
 * first five on external orders.
 */
export const BILLING_STATUSES = [
  'pending',
  'paid',
  'unpaid',
  'voided',
  'refunded',
  'draft',
  'disputed',
  'past-due',
  'abandoned',
  'partially-paid',
  'partially-refunded',
] as const

const OPEN: ReadonlySet<string> = new Set(['unpaid', 'draft', 'past-due'])

/** Tells whether an invoice is neither paid nor ended. */
export const isOpen = ({ status }: { readonly status: string }): boolean => OPEN.has(status)

/** Tells whether we are still to charge an invoice. One that was ever paid is not charged again. */
export const isOwed = (invoice: {
  readonly status: string
  readonly automatic: boolean
  readonly ever_paid: boolean
}) => invoice.automatic && !invoice.ever_paid && isOpen(invoice)

/** Attempts to charge one invoice, those that its buyer asks for included. */
const MOST_ATTEMPTS = 20

/** Tells whether the buyer of an invoice can have it charged. */
export const isPayable = (invoice: Parameters<typeof isOwed>[0] & { readonly attempts: number }): boolean =>
  isOwed(invoice) && invoice.attempts < MOST_ATTEMPTS

/** Billing statuses that clients may set on external orders. */
export const EXTERNAL_BILLING: readonly string[] = BILLING_STATUSES.slice(0, 5)

/** Service statuses that clients may set on external orders, by order type. */
export const EXTERNAL_SERVICE: Readonly<Record<string, readonly string[]>> = {
  'one-time-order': ['pending', 'completed'],
  'subscription-order': ['pending', 'active', 'churned', 'canceled', 'completed', 'paused'],
}

/** Statuses that clients may set on invoices of external orders. */
export const EXTERNAL_INVOICE: readonly string[] = ['unpaid', 'paid', 'voided', 'refunded', 'disputed', 'past-due']

/** Reasons for which a subscription can be cancelled, unless its processor has its own list. */
export const CANCEL_REASONS: readonly string[] = [
  'customer_service',
  'low_quality',
  'missing_features',
  'other',
  'switched_service',
  'too_complex',
  'too_expensive',
  'unused',
]
