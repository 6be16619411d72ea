import { addedData } from '../../kernel/model/event-types.ts'
import { managed } from '../../kernel/model/field.ts'
import { amount, choice, flag, integer, reference, text } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import { nullableString } from '../../resources/schemas.ts'

/** What is given back, and where. */
type RefundAsked = {
  readonly amount: string
  readonly currency: string
  readonly external_id: string
  readonly gateway_account_id: number
  readonly reason: string
}

/** The contract has some numbers as text. */
const numberAsText = {
  schema: nullableString,
  of: (value: unknown) => (typeof value === 'number' ? String(value) : null),
} as const

/** Money that moved for an invoice, or did not: a charge, or what was given back of one. What has happened stays. */
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
    /** What is under way: nothing is given back twice. */
    refunding: managed(flag({ initial: false }), { shown: 'never' }),
  },
  events: {
    TransactionRecorded: { creates: true, except: ['refunding'] },
    TransactionRefundAsked: { constants: { refunding: true }, addsData: addedData<RefundAsked>() },
    TransactionRefundFailed: { constants: { refunding: false } },
    /** A part was given back, by whoever works at the gateway itself. */
    TransactionPartlyRefunded: { constants: { status: 'partially-refunded' } },
    TransactionRefunded: { constants: { status: 'refunded', refunding: false } },
  },
})
