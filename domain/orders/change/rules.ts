import { type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import type { Values } from '../../kernel/model/field.ts'
import { fromMinor, toMinor } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { effectiveVariants, price, variant } from '../../store/public.ts'
import { billed, chargeAsked, type Issued, issued, paid } from '../billing/events.ts'
import { invoice } from '../invoice/model.ts'
import { lineItem } from '../order/line-item.ts'
import { order } from '../order/model.ts'
import { lineItemChange } from './model.ts'
import { runningPriceOf } from './proration.ts'
import { type Offer, type Standing, type Terms, termsOf, type Wanted } from './terms.ts'

const { event } = order
type Happens = Events<typeof order>
type Change = DecisionContext<
  typeof lineItemChange,
  { readonly invoice_id: number; readonly invoice_line_item_id: number }
>

/** What the catalogue says of a change from one price to another. */
export const offerOf = async (
  { order: of, lines }: Omit<Standing, 'invoices'>,
  { line_item_id, products_price_id }: { readonly line_item_id: number; readonly products_price_id: number },
  read: Reader,
): Promise<Offer> => {
  const line = lines.find(({ id }) => id === line_item_id)
  const held = lines.flatMap((one) => [one.products_price_id, runningPriceOf(of, one)])
  const found = await read.many(price, [...new Set([...held, products_price_id])])
  const prices = found.filter(({ workspace_id }) => workspace_id === of.workspace_id)
  const [whole] = await effectiveVariants(await read.many(variant, line ? [line.variant_id] : []), read)
  return { target: prices.find(({ id }) => id === products_price_id), prices, variant: whole }
}

/** That an invoice is issued for what a change costs at once, and is charged. */
const invoiced = (
  { order: of }: Pick<Standing, 'order'>,
  { now, target }: Terms & { readonly now: NonNullable<Terms['now']> },
  quantity: number,
  { wanted, at, workspaceId }: Change,
): Happens => {
  const { currency } = of
  const none = fromMinor(0n, currency)
  const { invoice_id: id = 0, invoice_line_item_id = 0 } = wanted
  const { amount, discount, period, subtotal: subtotal_amount, total: total_amount } = now
  const isFree = toMinor(total_amount, currency) === 0n
  const told: Issued = {
    ...{ id, workspaceId, at, paid_at: null, invoice_type: 'interim', subscription: true, period, currency },
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
    ...issued(told),
    ...(isFree
      ? [...paid(of, { ...told, ever_paid: false }, at), billed(of, 'paid')]
      : [billed(of, 'unpaid'), chargeAsked(of, { id, total_amount, attempts: 0 })]),
  ]
}

/** What it comes to, or why not; see terms. */
export const agreed = (
  standing: Standing,
  wanted: Wanted & { readonly line_item_id?: number },
  offer: Offer,
  at: string,
) => {
  const line = standing.lines.find(({ id }) => id === wanted.line_item_id)
  if (!line) return refuse.notFound('Not found')
  const terms = termsOf(standing, line, wanted, offer, at)
  return terms instanceof Refusal ? terms : { line, terms }
}

/** How a line item moves. */
export type Movement = Values<(typeof lineItemChange)['attributes']>

/** What a line item moves from, and to. */
export const movement = (
  line: Standing['lines'][number],
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
  const of = records.root(order)
  if (!of) return refuse.notFound('Not found')
  const standing = { order: of, lines: records.all(lineItem), invoices: records.all(invoice) }
  const found = agreed(standing, wanted, offer, at)
  if (found instanceof Refusal) return found
  const { line, terms } = found
  const { direction, target, prorate, running, schedule, now } = terms
  const { product_id, variant_id } = target
  const moved = direction === 'upgrade' ? event.SubscriptionUpgraded : event.SubscriptionDowngraded
  return [
    moved({ change_id: id, ...movement(line, terms) }),
    event.OrderLineItemChanged({
      line_item_id: line.id,
      ...{ product_id, variant_id, products_price_id: target.id, prorated: String(prorate), running },
    }),
    ...(schedule ? [event.SubscriptionRescheduled(schedule)] : []),
    ...(now ? invoiced({ order: { ...of, ...schedule } }, { ...terms, now }, line.quantity, asked) : []),
  ]
}

const loadFacts = async ({ wanted, records }: Change, read: Reader): Promise<Offer> => {
  const of = records.root(order)
  const { line_item_id = 0, products_price_id = 0 } = wanted
  return of
    ? offerOf({ order: of, lines: records.all(lineItem) }, { line_item_id, products_price_id }, read)
    : { target: undefined, prices: [], variant: undefined }
}

/** The rules of moving a subscription to another price (rule book "Subscription changes"). */
export const changeRules = rules(lineItemChange, { loadFacts, create })
