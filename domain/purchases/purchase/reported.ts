import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import { REPORTS } from '../providers.ts'

/** What a delivery says of a purchase, without anything personal. */
export type Reported = {
  readonly type: string
  /** Why it changes nothing, whatever else comes. */
  readonly problem: string | null
  /** By the provider's clock; ISO 8601. */
  readonly at: string
  readonly membership: string | null
  readonly payment: string | null
  readonly plan: string | null
  readonly refund: string | null
  readonly dispute: string | null
  /** Of the refund or of the dispute. */
  readonly status: string | null
  /** What the refund gives back, and what the payment was of. */
  readonly amount: string | null
  readonly total: string | null
  readonly reason: string | null
  readonly paid_at: string | null
  readonly cancels: boolean | null
  readonly renews_at: string | null
  /** What of the catalogue was bought, by the mappings as they were when it came. */
  readonly sold: Sold | null
}

export type Sold = {
  readonly variant_id: number
  readonly products_price_id: number
  /** Whether it is paid again and again. */
  readonly recurs: boolean
  /** The invoice that it is going to have. */
  readonly invoice_id: number
}

/** Who bought, as the provider has it. */
export type Buyer = { readonly email: string | null; readonly name: string | null }

const LONGEST = 255

const textAt = (value: Json | undefined): string | null =>
  typeof value === 'string' && value !== '' && value.length <= LONGEST && value.isWellFormed() ? value : null
const within = (value: Json | undefined): JsonObject => (isJsonObject(value) ? value : {})
const amountAt = (value: Json | undefined): string | null =>
  /^\d{1,12}(\.\d{1,6})?$/.test(String(value)) ? String(value) : null

/** A moment in UTC with milliseconds; `null` for what is none of the years that have four digits. */
const momentAt = (value: Json | undefined): string | null => {
  const parsed = typeof value === 'string' && /^\d{4}-\d{2}-\d{2}T/.test(value) ? new Date(value) : undefined
  const utc = parsed && !Number.isNaN(parsed.getTime()) ? parsed.toISOString() : ''
  return /^\d{4}-/.test(utc) ? utc : null
}

/**
 * What a verified delivery says.
 *
 * @param sentAt the time that it was signed with; ISO 8601
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

/** Who bought what a delivery tells of. */
export const buyerIn = (body: JsonObject): Buyer => {
  const data = within(body.data)
  const user = { ...within(within(data.payment).user), ...within(data.user) }
  return { email: textAt(user.email), name: textAt(user.name) }
}

/** What all deliveries of one purchase have in common; what names none stands alone. */
export const correlationOf = ({ membership, payment }: Reported, eventId: string): string =>
  membership ?? payment ?? `event:${eventId}`
