import { addedData } from '../../kernel/model/event-types.ts'
import { managed } from '../../kernel/model/field.ts'
import { amount, choice, flag, integer, moment, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { nullableString } from '../../resources/schemas.ts'

/** Amount to refund, and the charge and account to refund it from. */
type RefundAsked = {
  readonly amount: string
  readonly currency: string
  readonly external_id: string
  readonly gateway_account_id: number
  readonly reason: string
}

/** The contract shows some numbers as text. */
const numberAsText = {
  schema: nullableString,
  of: (value: unknown) => (typeof value === 'number' ? String(value) : null),
} as const

/** Charge for an invoice, approved or declined, or a refund of one. Recorded amounts never change. */
export const transaction = model('orders/transaction', {
  stream: 'order',
  owner: 'order_id',
  attributes: {
    invoice_id: reference('orders/invoice', { required: true, shown: 'never' }),
    external_type: choice(['sale', 'refund'], { required: true }),
    external_id: text({ required: true }),
    result: choice(['approved', 'declined'], { required: true }),
    status: choice(['completed', 'declined', 'refunded', 'partially-refunded'], { required: true }),
    amount: amount({ required: true }),
    currency: text({ required: true }),
    reason: text({ nullable: true }),
    adjusted_transaction_id: reference('orders/transaction', {
      nullable: true,
      shown: { schema: nullableString, of: (id) => (typeof id === 'number' ? String(id) : null) },
    }),
    billing_payment_instruction_id: text({ nullable: true }),
    is_rebill: flag({ nullable: true }),
    rebill_number: integer({ nullable: true, shown: numberAsText }),
    /** Whether a refund is in progress: prevents a second one. */
    refunding: managed(flag({ initial: false }), { shown: 'never' }),
    /** Why the gateway did not make the last refund that was requested. */
    refund_failure: managed(text({ nullable: true }), { shown: 'never' }),
    /** When a refund last turned out to have failed after it was recorded. */
    reversed_at: managed(moment(), { shown: 'never' }),
  },
  events: {
    TransactionRecorded: { creates: true, except: ['refunding', 'refund_failure', 'reversed_at'] },
    TransactionRefundAsked: {
      constants: { refunding: true, refund_failure: null },
      addsData: addedData<RefundAsked>(),
    },
    TransactionRefundFailed: { constants: { refunding: false }, sets: ['refund_failure'] },
    /** A part was refunded at the gateway itself. */
    TransactionPartlyRefunded: { constants: { status: 'partially-refunded' } },
    TransactionRefunded: { constants: { status: 'refunded', refunding: false } },
    /** A recorded refund failed at the gateway afterwards. */
    TransactionRefundReversed: { sets: ['external_id'], constants: { result: 'declined', status: 'declined' } },
    /** A charge has its money back after a refund of it was reversed. */
    TransactionRestored: { sets: ['status', 'reversed_at'] },
  },
})
