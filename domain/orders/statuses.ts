/** What an order is billed as: how its newest invoice stands, `pending` before there is one. External orders are told the first five. */
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

/** What external orders may be told of their billing. */
export const EXTERNAL_BILLING: readonly string[] = BILLING_STATUSES.slice(0, 5)

/** What external orders may be told of their service, by type. */
export const EXTERNAL_SERVICE: Readonly<Record<string, readonly string[]>> = {
  'one-time-order': ['pending', 'completed'],
  'subscription-order': ['pending', 'active', 'churned', 'canceled', 'completed', 'paused'],
}

/** What external invoices may be told. */
export const EXTERNAL_INVOICE: readonly string[] = ['unpaid', 'paid', 'voided', 'refunded', 'disputed', 'past-due']

/** Why an external order can be cancelled. */
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
