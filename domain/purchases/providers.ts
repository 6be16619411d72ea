/** Providers of external purchases. */
export const PROVIDERS = ['whop'] as const

/** Path prefix of all receivers, on the public listener. */
export const RECEIVER = '/webhooks/incoming/external_purchases_webhooks/'

/** Prefix of the provider's signing secrets. */
export const SECRET_BEGINS = 'ws_'

/** Event types that affect orders; all others are stored and change nothing. */
export const REPORTS = [
  'payment.succeeded',
  'payment.failed',
  'membership.activated',
  'membership.deactivated',
  'membership.cancel_at_period_end_changed',
  'refund.created',
  'refund.updated',
  'dispute.created',
  'dispute.updated',
] as const

export type Report = (typeof REPORTS)[number]

/** Collection names that several files use. */
export const ENDPOINT = 'webhooks/incoming/external_purchase_endpoint'
export const MAPPING = 'webhooks/incoming/external_purchase_product_mapping'
export const DELIVERY = 'webhooks/incoming/external_purchase_event'
export const PURCHASE = 'webhooks/incoming/external_purchase'

/** Ownership of records that belong to an endpoint. */
export const underEndpoint = {
  param: 'external_purchase_endpoint_id',
  resource: ENDPOINT,
  field: 'external_purchase_endpoint_id',
} as const
