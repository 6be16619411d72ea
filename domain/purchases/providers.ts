/** Where purchases come from that are made elsewhere. */
export const PROVIDERS = ['whop'] as const

/** What the path of every receiver begins with, below the public listener. */
export const RECEIVER = '/webhooks/incoming/external_purchases_webhooks/'

/** What the signing secrets of the provider begin with. */
export const SECRET_BEGINS = 'ws_'

/** What is reported of purchases; everything else is kept and changes nothing. */
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

/** Names of collections that stand in more than one file. */
export const ENDPOINT = 'webhooks/incoming/external_purchase_endpoint'
export const MAPPING = 'webhooks/incoming/external_purchase_product_mapping'
export const DELIVERY = 'webhooks/incoming/external_purchase_event'
export const PURCHASE = 'webhooks/incoming/external_purchase'

/** The owner of what belongs to an endpoint. */
export const underEndpoint = {
  param: 'external_purchase_endpoint_id',
  resource: ENDPOINT,
  field: 'external_purchase_endpoint_id',
} as const
