import type { BirthContext, Events } from '../kernel/decide/rules.ts'
import { idAt } from '../kernel/values/ids.ts'
import type { AgreedPrice } from './agreed-price.ts'
import { firstPayment, invoiceIssuedEvents, transactionRecorded } from './billing/events.ts'
import { type Plan, periodStart } from './billing/schedule.ts'
import type { LineRef } from './lines.ts'
import { order } from './order/model.ts'

const { event } = order

/** Line of a sale. Amounts are in the currency's scale: `amount` is per unit, `discount` is for the whole line. */
export type SoldLine = LineRef & {
  readonly product_id: number
  readonly payment_type: string | null
  readonly amount: string
  readonly discount: string
  /** Absent in checkouts that are older than agreed prices. */
  readonly agreed?: AgreedPrice
}

/** Result of a checkout: an order that is placed with its first invoice paid. Amounts are in the currency's scale. */
export type Sale = {
  readonly invoice_id: number
  readonly transaction_id: number
  readonly payment_processor: string
  readonly gateway_account_id: number
  readonly payment_method_id: string | null
  /** Id of the charge at the gateway; `null` where there was nothing to pay. */
  readonly charge_id: string | null
  readonly currency: string
  readonly plan: Plan | null
  readonly trial_end_at: string | null
  readonly lines: readonly SoldLine[]
  readonly subtotal_amount: string
  readonly shipping_amount: string
  readonly discount: string
  readonly tax: string
  readonly total_amount: string
}

export type Placing = BirthContext<typeof order, { readonly sale: Sale }>

const isLastOf = ({ payments }: Plan): boolean => payments === 1

/** Schedule of a subscription that was just sold: the first period is paid, or a trial precedes it. */
const begun = (plan: Plan, trial_end_at: string | null) => {
  const following = isLastOf(plan) ? null : periodStart(plan, 1)
  return trial_end_at === null
    ? { plan, periods: 1, next_charge_at: following, paid_until: periodStart(plan, 1) }
    : { plan, periods: 0, next_charge_at: trial_end_at, paid_until: trial_end_at, in_trial: true, trial_end_at }
}

/** Attributes that a new order takes from its sale. */
export const sold = ({ wanted: { sale }, at }: Placing) => {
  const { plan, trial_end_at, payment_processor, gateway_account_id, payment_method_id, currency, total_amount } = sale
  return {
    ...{ payment_processor, gateway_account_id, currency, total_amount },
    billing_payment_method_id: payment_method_id,
    billing_status: 'paid' as const,
    purchased: true,
    ...(plan
      ? { service_status: 'active' as const, activated_at: at, ...begun(plan, trial_end_at) }
      : { service_status: 'completed' as const }),
  }
}

/** Events for the lines, the paid invoice and the charge with which a new order begins. */
export const withInvoice = ({ wanted: { sale }, after, ids, workspaceId, at }: Placing): Events<typeof order> => {
  const { invoice_id, lines, plan, trial_end_at, charge_id } = sale
  const subscription = plan !== null
  const { currency, subtotal_amount, shipping_amount, discount, tax, total_amount } = sale
  const bill = {
    id: invoice_id,
    invoice_type: subscription ? ('initial' as const) : ('one_time_sale' as const),
    subscription,
    period: subscription && trial_end_at === null ? 0 : null,
    currency,
  }
  return [
    ...lines.map(({ product_id, variant_id, products_price_id, quantity, agreed = null }, index) =>
      event.OrderLineItemAdded({
        line_item_id: idAt(ids, index),
        ...{ product_id, variant_id, products_price_id, quantity, agreed },
      }),
    ),
    ...invoiceIssuedEvents({
      ...{ ...bill, workspaceId, live_mode: after.live_mode, at, paid_at: at },
      ...{ subtotal_amount, shipping_amount, discount, tax, total_amount },
      lines: lines.map(({ agreed: _, ...line }, index) => ({ id: idAt(ids, lines.length + index), ...line })),
    }),
    ...(charge_id === null
      ? []
      : [
          transactionRecorded(
            { ...bill, total_amount },
            {
              transaction_id: sale.transaction_id,
              external_id: charge_id,
              result: 'approved',
              reason: null,
              payment_method_id: sale.payment_method_id,
            },
          ),
        ]),
    event.InvoicePaid({ invoice_id, subscription, first: true, recurring: subscription }),
    ...firstPayment({ period_paid: false }, { ...bill, total_amount }),
  ]
}
