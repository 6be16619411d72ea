import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { instantIn } from '../../kernel/values/instant.ts'
import { REPORTS } from '../providers.ts'

/** Content of a delivery, without personal data. */
export type Reported = {
  readonly type: string
  /** Reason for which it never changes anything. */
  readonly problem: string | null
  /** Time by the provider's clock; ISO 8601. */
  readonly at: string
  readonly membership: string | null
  readonly payment: string | null
  readonly plan: string | null
  readonly refund: string | null
  readonly dispute: string | null
  /** Status of the refund or dispute. */
  readonly status: string | null
  /** Amount of the refund; `total` is the amount of the payment. */
  readonly amount: string | null
  readonly total: string | null
  readonly reason: string | null
  readonly paid_at: string | null
  readonly cancels: boolean | null
  readonly renews_at: string | null
  /** Variant and price that were bought, by the mappings at the time of arrival. */
  readonly sold: Sold | null
}

export type Sold = {
  readonly variant_id: number
  readonly products_price_id: number
  /** Whether payments recur. */
  readonly recurs: boolean
  /** Id reserved for its invoice. */
  readonly invoice_id: number
}

/** Buyer, as the provider reports them. */
export type Buyer = { readonly email: string | null; readonly name: string | null }

const LONGEST = 255

const textAt = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST && value.isWellFormed() ? value : null
const within = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const amountAt = (value: Json | undefined): string | null =>
  /^\d{1,12}(\.\d{1,6})?$/.test(String(value)) ? String(value) : null

const momentAt = (value: Json | undefined): string | null =>
  (typeof value === 'string' ? instantIn(value) : undefined) ?? null

/**
 * Returns the content of a verified delivery.
 *
 * @param sentAt time from its signature; ISO 8601
 */
export const reportedIn = (body: JsonObject, sentAt: string): Reported & { readonly sold: null } => {
  const type = textAt(body.type) ?? 'unknown'
  const data = within(body.data)
  const [isPayment, isRefund, isDispute] = ['payment.', 'refund.', 'dispute.'].map((begin) => type.startsWith(begin))
  const payment = isPayment ? data : within(data.payment)
  const isMembership = type.startsWith('membership.')
  const problem =
    body.api_version !== 'v1'
      ? 'Only deliveries of API version v1 are understood'
      : (REPORTS as readonly string[]).includes(type)
        ? null
        : `Events of type ${type} are not handled`
  return {
    type,
    problem,
    at: momentAt(body.timestamp) ?? sentAt,
    membership: textAt(isMembership ? data.id : (within(payment.membership).id ?? within(data.membership).id)),
    payment: isMembership ? null : textAt(payment.id),
    plan: textAt(within(data.plan).id),
    refund: isRefund ? textAt(data.id) : null,
    dispute: isDispute ? textAt(data.id) : null,
    status: isRefund || isDispute ? textAt(data.status) : null,
    amount: isRefund ? amountAt(data.amount) : null,
    total: amountAt(payment.total),
    reason: textAt(payment.billing_reason),
    paid_at: isPayment ? momentAt(data.paid_at) : null,
    cancels: isMembership && typeof data.cancel_at_period_end === 'boolean' ? data.cancel_at_period_end : null,
    renews_at: isMembership ? momentAt(data.renewal_period_end) : null,
    sold: null,
  }
}

/** Returns the buyer that a delivery names. */
export const buyerIn = (body: JsonObject): Buyer => {
  const data = within(body.data)
  const user = { ...within(within(data.payment).user), ...within(data.user) }
  return { email: textAt(user.email), name: textAt(user.name) }
}

/** Key that all deliveries of one purchase share. A delivery that names no membership and no payment stands alone. */
export const correlationOf = ({ membership, payment }: Reported, eventId: string): string =>
  membership ?? payment ?? `event:${eventId}`
