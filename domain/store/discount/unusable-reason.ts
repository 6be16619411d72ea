/** Reason for which a code cannot be used. */
export type Unusable = 'unknown' | 'scheduled' | 'expired' | 'used' | 'currency' | 'minimum_spend' | 'scope'

/** Messages for buyers. */
export const MESSAGES: Readonly<Record<Unusable, string>> = {
  unknown: 'Discount code is not valid',
  scheduled: 'Discount is not active yet',
  expired: 'Discount has expired',
  used: 'Discount has already been used by this customer',
  currency: 'Discount is not in the currency of the order',
  minimum_spend: 'Order does not reach the minimum spend of the discount',
  scope: 'Discount does not apply to anything in the order',
}
