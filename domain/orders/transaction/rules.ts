import { type ActContext, type Events, rules } from '../../kernel/decide/rules.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { invoicePaidEvents, orderBilled, unpaidPeriod } from '../billing/events.ts'
import { invoice } from '../invoice/model.ts'
import { order } from '../order/model.ts'
import { transaction } from './model.ts'

const { event } = order
type Happens = Events<typeof order>
type Asked<Input = unknown> = ActContext<typeof transaction, Input>

/** Refund reasons; the processor payments_ai accepts any. */
const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer']

const invalid = (says: string, field: string): Refusal => refuse.invalid(says, `orders_transaction.${field}`, 'invalid')

const minor = ({ amount, currency }: Pick<Asked['before'], 'amount' | 'currency'>): bigint => minorOf(amount, currency)

/** Amount refunded of a charge so far, in minor units. */
const givenBack = ({ before, records }: Pick<Asked, 'before' | 'records'>): bigint =>
  records
    .all(transaction)
    .filter(
      ({ external_type, result, adjusted_transaction_id: chargeId }) =>
        external_type === 'refund' && result === 'approved' && chargeId === before.id,
    )
    .reduce((sum, one) => sum + minor(one), 0n)

const REFUNDABLE: ReadonlySet<string> = new Set(['completed', 'partially-refunded'])

type Refunding = { readonly reason?: string | null; readonly partial?: boolean | null; readonly amount?: unknown }

/** Requests a refund of what is left of a charge (operationId refundOrdersTransactions). */
const refund = (asked: Asked<Refunding>): Happens | Refusal => {
  const { before, wanted, records } = asked
  const { external_type, result, status, refunding } = before
  if (external_type !== 'sale' || result !== 'approved' || !REFUNDABLE.has(status) || refunding)
    return refuse.notFound('Not found')
  if (wanted.partial || (wanted.amount !== undefined && wanted.amount !== null))
    return invalid(
      'Partial refunds are not supported via this endpoint (full refund of this charge only)',
      wanted.partial ? 'partial' : 'amount',
    )
  const parent = records.root(order)
  const reason = wanted.reason ?? 'requested_by_customer'
  if (parent?.payment_processor !== 'payments_ai' && !REASONS.includes(reason))
    return invalid(`Invalid reason '${reason}'. Valid values: ${REASONS.join(', ')}`, 'reason')
  const { currency, external_id } = before
  const amount = fromMinor(minor(before) - givenBack(asked), currency)
  const details = { amount, currency, external_id, gateway_account_id: parent?.gateway_account_id ?? 0, reason }
  return [event.TransactionRefundAsked({ transaction_id: before.id, ...details })]
}

type Refunded = {
  readonly external_id: string
  readonly refund_id: number
  readonly reason: string | null
  /** Total refunded of the charge so far, from a notification of its gateway; absent: the whole charge. */
  readonly told?: string
}

/**
 * Records the difference between the refunds reported and those recorded. Repeated and reordered reports add nothing.
 */
const recordRefund = (asked: Asked<Refunded>): Happens => {
  const { before, wanted, records } = asked
  const parent = records.root(order)
  if (!REFUNDABLE.has(before.status) || before.external_type !== 'sale' || !parent) return []
  const [charged, recorded] = [minor(before), givenBack(asked)]
  const reported = wanted.told === undefined ? charged : minorOf(wanted.told, before.currency)
  const isWhole = reported >= charged
  const difference = (isWhole ? charged : reported) - recorded
  if (difference <= 0n) return []
  const { id, invoice_id, currency, billing_payment_instruction_id } = before
  const { refund_id, external_id, reason } = wanted
  const isNewest = records.all(invoice).at(-1)?.id === invoice_id
  return [
    isWhole
      ? event.TransactionRefunded({ transaction_id: id })
      : event.TransactionPartlyRefunded({ transaction_id: id }),
    event.TransactionRecorded({
      transaction_id: refund_id,
      invoice_id,
      external_type: 'refund',
      external_id,
      result: 'approved',
      status: 'completed',
      amount: fromMinor(difference, currency),
      currency,
      reason,
      adjusted_transaction_id: id,
      billing_payment_instruction_id,
      is_rebill: false,
      rebill_number: null,
    }),
    ...(isWhole
      ? [event.InvoiceRefunded({ invoice_id }), ...unpaidPeriod(parent, records.one(invoice, invoice_id))]
      : []),
    ...(isWhole && isNewest ? [orderBilled(parent, 'refunded')] : []),
  ]
}

const refundFailed = ({ before, wanted }: Asked<{ readonly reason?: string | null }>): Happens =>
  before.refunding
    ? [event.TransactionRefundFailed({ transaction_id: before.id, refund_failure: wanted.reason ?? 'unknown' })]
    : []

type Reversal = {
  /** Id of the refund at the gateway. */
  readonly external_id: string
  readonly amount: string
}

/** Records that a refund failed at the gateway after it was recorded. Repeated reports add nothing. */
const reverseRefund = (asked: Asked<Reversal>): Happens => {
  const { before, wanted, at, records } = asked
  const parent = records.root(order)
  const refunds = records.all(transaction).filter((one) => one.adjusted_transaction_id === before.id)
  // Refunds that were requested at the gateway itself are recorded without its id for them.
  const reversed =
    refunds.find(({ external_id }) => external_id === wanted.external_id) ??
    refunds.findLast((one) => one.result === 'approved' && minor(one) === minorOf(wanted.amount, one.currency))
  if (reversed?.result !== 'approved' || !parent) return []
  const { id, invoice_id } = before
  const isPartial = givenBack(asked) > minor(reversed)
  const paid = records.one(invoice, invoice_id)
  const isNewest = records.all(invoice).at(-1)?.id === invoice_id
  return [
    event.TransactionRefundReversed({ transaction_id: reversed.id, external_id: wanted.external_id }),
    event.TransactionRestored({
      transaction_id: id,
      status: isPartial ? 'partially-refunded' : 'completed',
      reversed_at: at,
    }),
    ...(paid?.status === 'refunded'
      ? [...invoicePaidEvents(parent, paid, paid.paid_at ?? at), ...(isNewest ? [orderBilled(parent, 'paid')] : [])]
      : []),
  ]
}

/** Rules of a transaction. */
export const transactionRules = rules(transaction, { acts: { refund, recordRefund, refundFailed, reverseRefund } })
