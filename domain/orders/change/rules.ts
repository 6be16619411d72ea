import { type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { Values } from '../../kernel/model/field.ts'
import { fromMinor, minorOf } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { effectiveVariants, price, variant } from '../../store/public.ts'
import { agreedPrice } from '../agreed-price.ts'
import {
  type InvoiceToIssue,
  invoiceChargeAsked,
  invoiceIssuedEvents,
  invoicePaidEvents,
  orderBilled,
} from '../billing/events.ts'
import { invoice } from '../invoice/model.ts'
import { lineItem } from '../order/line-item.ts'
import { order } from '../order/model.ts'
import { sellableAmong } from '../sellable.ts'
import { transaction } from '../transaction/model.ts'
import { lineItemChange } from './model.ts'
import { runningPrice } from './proration.ts'
import { type ChangeInput, type Offer, type OrderState, type Terms, termsOf } from './terms.ts'

const { event } = order
type Happens = Events<typeof order>
type Change = DecisionContext<
  typeof lineItemChange,
  { readonly invoice_id: number; readonly invoice_line_item_id: number }
>

/** Reads the catalogue entries that a change of price depends on. */
export const offerOf = async (
  { order: subscription, lines }: Pick<OrderState, 'order' | 'lines'>,
  { line_item_id, products_price_id }: { readonly line_item_id: number; readonly products_price_id: number },
  read: Reader,
): Promise<Offer> => {
  const line = lines.find(({ id }) => id === line_item_id)
  const priceIds = lines.flatMap((one) => [one.products_price_id, runningPrice(subscription, one).id])
  const prices = await read.many(price, [...new Set([...priceIds, products_price_id])])
  const [effective] = await effectiveVariants(await read.many(variant, line ? [line.variant_id] : []), read)
  const target = prices.find(({ id }) => id === products_price_id)
  const isSellable = target !== undefined && (await sellableAmong([target], read)).has(target.id)
  return { target, isSellable, prices, variant: effective }
}

/** Events that issue and charge an invoice for the immediate cost of a change. */
const invoiced = (
  { order: parent }: Pick<OrderState, 'order'>,
  { now, target }: Terms & { readonly now: NonNullable<Terms['now']> },
  { wanted, at, workspaceId }: Change,
): Happens => {
  const { currency, live_mode } = parent
  const none = fromMinor(0n, currency)
  const { invoice_id: id = 0, invoice_line_item_id = 0 } = wanted
  const { amount, quantity, discount, period, subtotal: subtotal_amount, total: total_amount } = now
  const isFree = minorOf(total_amount, currency) === 0n
  const details: InvoiceToIssue = {
    ...{ id, workspaceId, live_mode, at, paid_at: null, invoice_type: 'interim', subscription: true, period, currency },
    ...{ subtotal_amount, shipping_amount: none, discount, tax: none, total_amount },
    lines: [
      {
        id: invoice_line_item_id,
        ...{ product_id: target.product_id, variant_id: target.variant_id, products_price_id: target.id },
        ...{ payment_type: target.payment_type, amount, quantity, discount },
      },
    ],
  }
  return [
    ...invoiceIssuedEvents(details),
    ...(isFree
      ? [...invoicePaidEvents(parent, { ...details, ever_paid: false }, at), orderBilled(parent, 'paid')]
      : [orderBilled(parent, 'unpaid'), invoiceChargeAsked(parent, { id, total_amount, attempts: 0 }, at)]),
  ]
}

/** Returns the line item and the terms of its change; refuses as `termsOf` does. */
export const resolveTerms = (
  state: OrderState,
  wanted: ChangeInput & { readonly line_item_id?: number },
  offer: Offer,
  at: string,
) => {
  const line = state.lines.find(({ id }) => id === wanted.line_item_id)
  if (!line) return refuse.notFound('Not found')
  const terms = termsOf(state, line, wanted, offer, at)
  return terms instanceof Refusal ? terms : { line, terms }
}

/** Attributes of a change of price. */
export type Movement = Values<(typeof lineItemChange)['attributes']>

/** Returns the attributes of a change of a line item. */
export const movement = (
  line: OrderState['lines'][number],
  { prorate, effective_time, target, upcoming, direction }: Terms,
): Movement => ({
  line_item_id: line.id,
  ...{ products_price_id: target.id, prorate, effective_time, direction },
  ...{ product_id: target.product_id, variant_id: target.variant_id },
  ...{ previous_product_id: line.product_id, previous_variant_id: line.variant_id },
  ...{ previous_price_id: line.products_price_id, previous_prorated: line.prorated },
  upcoming,
})

const create = (asked: Change, offer: Offer): Happens | Refusal => {
  const { id, wanted, at, records } = asked
  const subscription = records.root(order)
  if (!subscription) return refuse.notFound('Not found')
  const state = {
    order: subscription,
    lines: records.all(lineItem),
    invoices: records.all(invoice),
    transactions: records.all(transaction),
  }
  const found = resolveTerms(state, wanted, offer, at)
  if (found instanceof Refusal) return found
  const { line, terms } = found
  const { direction, target, prorate, running, schedule, now } = terms
  const { product_id, variant_id } = target
  const moved = direction === 'upgrade' ? event.SubscriptionUpgraded : event.SubscriptionDowngraded
  return [
    moved({ change_id: id, ...movement(line, terms) }),
    event.OrderLineItemChanged({
      line_item_id: line.id,
      ...{ product_id, variant_id, products_price_id: target.id, agreed: agreedPrice(target) },
      ...{ prorated: String(prorate), running },
    }),
    ...(schedule ? [event.SubscriptionRescheduled(schedule)] : []),
    ...(now ? invoiced({ order: { ...subscription, ...schedule } }, { ...terms, now }, asked) : []),
  ]
}

const loadFacts = async ({ wanted, records }: Change, read: Reader): Promise<Offer> => {
  const subscription = records.root(order)
  const { line_item_id = 0, products_price_id = 0 } = wanted
  return subscription
    ? offerOf({ order: subscription, lines: records.all(lineItem) }, { line_item_id, products_price_id }, read)
    : { target: undefined, isSellable: false, prices: [], variant: undefined }
}

/** Rules of moving a subscription to another price. */
export const changeRules = rules(lineItemChange, { loadFacts, create })
