import type { DomainEvent } from '../../kernel/event.ts'
import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { type AskedOf, rules } from '../../kernel/rules.ts'
import { billed } from '../billing/events.ts'
import { invoice } from '../invoice/model.ts'
import { order } from '../order/model.ts'
import type { transaction } from './model.ts'

type Asked<Besides = unknown> = AskedOf<typeof transaction, Besides>

/** Why a charge is given back; the second gateway takes any reason. */
const REASONS = ['duplicate', 'fraudulent', 'requested_by_customer']

const invalid = (says: string, field: string): Refusal => refuse.invalid(says, `orders_transaction.${field}`, 'invalid')

type Refunding = { readonly reason: string | null; readonly partial: boolean; readonly amount: unknown }

/** Asked by a client: the whole of a charge is to be given back (contract, refundOrdersTransactions). */
const refund = ({ before, wanted, records }: Asked<Refunding>): readonly DomainEvent[] | Refusal => {
  const { external_type, result, status, refunding } = before
  if (external_type !== 'sale' || result !== 'approved' || status !== 'completed' || refunding)
    return refuse.notFound('Not found')
  if (wanted.partial || (wanted.amount !== undefined && wanted.amount !== null))
    return invalid(
      'Partial refunds are not supported via this endpoint (full refund of this charge only)',
      wanted.partial ? 'partial' : 'amount',
    )
  const of = records.root(order)
  const reason = wanted.reason ?? 'requested_by_customer'
  if (of?.payment_processor !== 'payments_ai' && !REASONS.includes(reason))
    return invalid(`Invalid reason '${reason}'. Valid values: ${REASONS.join(', ')}`, 'reason')
  const { amount, currency, external_id } = before
  const told = { amount, currency, external_id, gateway_account_id: of?.gateway_account_id ?? 0, reason }
  return [{ type: 'TransactionRefundAsked', data: { transaction_id: before.id, ...told } }]
}

type Refunded = { readonly external_id: string; readonly refund_id: number; readonly reason: string }

/** A refund that is known already is not recorded again. */
const recordRefund = ({ before, wanted, records }: Asked<Refunded>): readonly DomainEvent[] => {
  const of = records.root(order)
  if (before.status === 'refunded' || !of) return []
  const { id, invoice_id, amount, currency, billing_payment_instruction_id } = before
  const isNewest = records.all(invoice).at(-1)?.id === invoice_id
  return [
    { type: 'TransactionRefunded', data: { transaction_id: id } },
    {
      type: 'TransactionRecorded',
      data: {
        transaction_id: wanted.refund_id,
        invoice_id,
        external_type: 'refund',
        external_id: wanted.external_id,
        result: 'approved',
        status: 'completed',
        amount,
        currency,
        reason: wanted.reason ?? null,
        adjusted_transaction_id: id,
        billing_payment_instruction_id,
        is_rebill: false,
        rebill_number: null,
      },
    },
    { type: 'InvoiceRefunded', data: { invoice_id } },
    ...(isNewest ? [billed(of, 'refunded')] : []),
  ]
}

const refundFailed = ({ before }: Asked): readonly DomainEvent[] =>
  before.refunding ? [{ type: 'TransactionRefundFailed', data: { transaction_id: before.id } }] : []

/** The rules of a transaction. */
export const transactionRules = rules<typeof transaction>({ acts: { refund, recordRefund, refundFailed } })
