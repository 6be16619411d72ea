import { decider } from '../../kernel/decide/decider.ts'
import { type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { namesOf } from '../../kernel/model/field.ts'
import { idAt } from '../../kernel/values/ids.ts'
import { fromMinor } from '../../kernel/values/money.ts'
import { Refusal, refuse } from '../../kernel/values/refusal.ts'
import { linkRules } from '../../resources/link.ts'
import { understandRegions } from '../addresses.ts'
import { agreedPrice } from '../agreed-price.ts'
import { cancel, stopBilling } from '../billing/cancel.ts'
import { type DatesToMove, moveDates } from '../billing/move-dates.ts'
import { reactivate } from '../billing/reactivate.ts'
import { billingActs } from '../billing/rules.ts'
import { changeRules } from '../change/rules.ts'
import { fulfilment } from '../fulfilled.ts'
import { settle } from '../incoming.ts'
import { invoiceRules } from '../invoice/rules.ts'
import { boundedSum, type Catalogue, findLines, type LineRef, pricesAndVariants } from '../lines.ts'
import { sold, withInvoice } from '../sale.ts'
import { CANCEL_REASONS, EXTERNAL_BILLING, EXTERNAL_SERVICE } from '../statuses.ts'
import { transactionRules } from '../transaction/rules.ts'
import { lineItem } from './line-item.ts'
import { appliedTag, order } from './model.ts'

const { event } = order

type Order = DecisionContext<typeof order, DatesToMove & { readonly line_items_attributes: readonly LineRef[] }>

const LINES = 'order.line_items_attributes'

/** Reads the catalogue entries of the lines and the currency of the workspace. */
const loadFacts = async ({ act, before, wanted, workspaceId, records }: Order, read: Reader) => {
  if (before)
    return {
      catalogue: await pricesAndVariants(
        act === 'bill' ? records.all(lineItem).filter(({ agreed }) => agreed === null) : [],
        read,
      ),
      currency: before.currency,
    }
  if (act === 'sell') return { catalogue: await pricesAndVariants([], read), currency: '' }
  const [catalogue, workspace] = await Promise.all([
    pricesAndVariants(wanted.line_items_attributes ?? [], read),
    read.documents.get('workspace', workspaceId),
  ])
  return { catalogue, currency: String(workspace?.currency ?? 'USD') }
}
type Facts = { readonly catalogue: Catalogue; readonly currency: string }

const found = ({ wanted }: Order, { catalogue }: Facts) =>
  findLines(wanted.line_items_attributes ?? [], catalogue, LINES)

/** Clients place external orders only: an order that a processor charges begins with a checkout. */
const place = (asked: Order, facts: Facts) => {
  if (asked.before) return undefined
  const lines = found(asked, facts)
  if (lines instanceof Refusal) return lines
  const recurs = lines.some(({ price }) => price.payment_type !== 'one_time')
  if (recurs && asked.after.order_type === 'one-time-order')
    return refuse.invalid('Line items of a one-time order must have one-time prices', LINES, 'invalid')
  const { currency } = facts
  const total = boundedSum(
    lines.map(({ price, quantity }) => ({ amount: price.amount, quantity })),
    currency,
    LINES,
  )
  if (total instanceof Refusal) return total
  return { payment_processor: 'external', currency, total_amount: fromMinor(total, currency) }
}

const addLines = (asked: Order, facts: Facts): Events<typeof order> | Refusal => {
  if (asked.before) return []
  const lines = found(asked, facts)
  if (lines instanceof Refusal) return lines
  return lines.map(({ product_id, variant_id, products_price_id, quantity, price }, index) =>
    event.OrderLineItemAdded({
      line_item_id: idAt(asked.ids, index),
      ...{ product_id, variant_id, products_price_id, quantity, agreed: agreedPrice(price) },
    }),
  )
}

/** Attributes that only subscriptions have. */
const SUBSCRIPTIONS: ReadonlySet<string> = new Set([
  'activated_at',
  'next_charge_at',
  'canceled_at',
  'canceled_by',
  'cancel_reason',
  'cancel_description',
  'churned_at',
])
/** Attributes that the processor sets on the orders it charges. */
const PROCESSORS = /^(billing_status|external_id|(shipping|billing)_address_.*)$/

const cannot = (name: string, of: string) =>
  refuse.invalid(`${name} can only be set on an external ${of}`, `order.${name}`, 'invalid')

/**
 * Clients write the notes of any order, and other attributes of external orders only. A `service_status` that is sent
 * for another order is ignored, as the contract says.
 */
const guard = ({ before, after }: Order) => {
  const external = after.payment_processor === 'external'
  const recurs = external && after.order_type === 'subscription-order'
  for (const name of namesOf(order.attributes)) {
    if (before ? after[name] === before[name] : after[name] === null) continue
    if (!recurs && SUBSCRIPTIONS.has(name)) return cannot(name, 'subscription order')
    if (!external && PROCESSORS.test(name)) return cannot(name, 'order')
  }
  return external || !before ? undefined : { service_status: before.service_status }
}

const listed = ({ before, after }: Order) => {
  if (after.payment_processor !== 'external') return undefined
  const problem = (name: string, label: string) =>
    refuse.invalid(`${label} is not included in the list`, `order.${name}`, 'inclusion')
  if (after.billing_status !== before?.billing_status && !EXTERNAL_BILLING.includes(after.billing_status))
    return problem('billing_status', 'Billing status')
  if (
    after.service_status !== before?.service_status &&
    !EXTERNAL_SERVICE[after.order_type]?.includes(after.service_status)
  )
    return problem('service_status', 'Service status')
  const { cancel_reason: reason } = after
  return reason !== (before?.cancel_reason ?? null) && reason !== null && !CANCEL_REASONS.includes(reason)
    ? problem('cancel_reason', 'Cancel reason')
    : undefined
}

/** Fills in the times and the reason of a subscription that ends, and clears them when it becomes active again. */
const date = ({ before, after, at }: Order) => {
  if (after.order_type !== 'subscription-order' || after.service_status === before?.service_status) return undefined
  const { activated_at, canceled_at, churned_at, cancel_reason } = after
  const isSent = (name: 'canceled_at' | 'churned_at') => after[name] !== null && after[name] !== before?.[name]
  switch (after.service_status) {
    case 'active':
      return {
        activated_at: activated_at ?? at,
        ...(before && !isSent('canceled_at') && { canceled_at: null, cancel_reason: null }),
        ...(before && !isSent('churned_at') && { churned_at: null }),
      }
    case 'canceled':
      return { canceled_at: canceled_at ?? at, churned_at: churned_at ?? at, cancel_reason: cancel_reason ?? 'other' }
    case 'churned':
      return { churned_at: churned_at ?? at }
    default:
      return undefined
  }
}

/** Rules of an order and of the records in its stream (spec 2.3, 3). */
export const orders = decider(order, {
  rules: rules(order, {
    loadFacts,
    save: [understandRegions, place, guard, listed, date, moveDates, addLines],
    births: { sell: [sold, withInvoice] },
    acts: { cancel, stopBilling, reactivate, settle, ...billingActs, ...fulfilment },
    timers: { renewal: 'renew', end: 'churn', 'trial-end': 'endTrial', 'run-out': 'runOut' },
  }),
  children: [
    changeRules,
    transactionRules,
    invoiceRules,
    linkRules(appliedTag, { key: 'applied_tag_id', taken: 'Tag has already been applied to this order' }),
  ],
})
