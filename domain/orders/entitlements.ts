import type { Reader } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { lineItemChange } from './change/model.ts'
import { invoice, invoiceLineItem } from './invoice/model.ts'
import { lineItem } from './order/line-item.ts'
import { order } from './order/model.ts'

type Line = RecordOf<typeof invoiceLineItem>
type Bill = RecordOf<typeof invoice>

/** Line of an invoice that was ever paid, with whether its buyer may have what its variant includes. */
export interface Entitlement {
  readonly line_id: number
  readonly invoice_id: number
  readonly variant_id: number
  /** Whether what was paid for it has not been given back, and its subscription goes on. */
  readonly isOpen: boolean
  /** When its subscription will end, where that is known. */
  readonly ends_at: string | null
  /** Whether it was bought by this line. The lines of renewals only go on with what was bought before. */
  readonly isBought: boolean
}

/** Whether the buyer may have what a line gives, at a time. */
export const isOpenAt = ({ isOpen, ends_at }: Pick<Entitlement, 'isOpen' | 'ends_at'>, at: string): boolean =>
  isOpen && (ends_at === null || ends_at > at)

/** Order with what decides which of its lines entitle to what. */
interface Sold {
  readonly order: RecordOf<typeof order>
  readonly bills: ReadonlyMap<number, Bill>
  /** Lines of invoices that were ever paid. */
  readonly lines: readonly Line[]
  /** For each line item: its variant, and those from which it has moved. */
  readonly histories: readonly ReadonlySet<number>[]
}

const soldIn = async (orderId: number, read: Reader): Promise<Sold | undefined> => {
  const where = { order_id: orderId }
  const [found, bills, lines, items, moves] = await Promise.all([
    read.one(order, orderId),
    read.find(invoice, { where }),
    read.find(invoiceLineItem, { where }),
    read.find(lineItem, { where }),
    read.find(lineItemChange, { where }),
  ])
  if (!found) return undefined
  const paid = new Map(bills.filter(({ ever_paid }) => ever_paid).map((one) => [one.id, one]))
  return {
    order: found,
    bills: paid,
    lines: lines.filter(({ invoice_id }) => paid.has(invoice_id)),
    histories: items.map(({ id, variant_id }) => {
      const left = moves.flatMap((one) => (one.line_item_id === id ? one.previous_variant_id : []))
      return new Set([variant_id, ...left])
    }),
  }
}

/** A charge of which a part was given back still counts as paid. */
const isHeld = ({ status }: Bill): boolean => status === 'paid' || status === 'partially-refunded'

const isRecurring = ({ order: { order_type } }: Sold, { payment_type }: Line): boolean =>
  order_type === 'subscription-order' && payment_type !== 'one_time'

const newest = (lines: readonly Line[]): number => Math.max(0, ...lines.map(({ invoice_id }) => invoice_id))

/** Whether a subscription goes on, and the last payment of a line item was for this variant and was not given back. */
const goesOn = (sold: Sold, { variant_id }: Line): boolean => {
  if (sold.order.service_status === 'churned') return false
  const recurring = sold.lines.filter((one) => isRecurring(sold, one))
  return sold.histories
    .filter((history) => history.has(variant_id))
    .some((history) => {
      const last = newest(recurring.filter((one) => history.has(one.variant_id)))
      const bill = sold.bills.get(last)
      const isOfVariant = recurring.some((one) => one.invoice_id === last && one.variant_id === variant_id)
      return isOfVariant && bill !== undefined && isHeld(bill)
    })
}

/**
 * Returns what the buyer of an order is entitled to by the lines of its paid invoices. What is paid once lasts until that payment is given back. What recurs
 * lasts as long as its subscription, the end of a plan with a number of payments included, and its last payment.
 */
export const entitlementsOf = async (orderId: number, read: Reader): Promise<readonly Entitlement[]> => {
  const sold = await soldIn(orderId, read)
  if (!sold) return []
  const { service_status, churned_at } = sold.order
  return sold.lines.map((line) => {
    const recurs = isRecurring(sold, line)
    const bill = sold.bills.get(line.invoice_id)
    const isRenewal = sold.lines.some(
      (one) =>
        one.variant_id === line.variant_id && one.invoice_id < line.invoice_id && isRecurring(sold, one) && recurs,
    )
    return {
      line_id: line.id,
      invoice_id: line.invoice_id,
      variant_id: line.variant_id,
      isOpen: recurs ? goesOn(sold, line) : bill !== undefined && isHeld(bill),
      ends_at: recurs && service_status === 'canceled' ? churned_at : null,
      isBought: !isRenewal,
    }
  })
}

/** Types of the events after which buyers may be entitled to other things. */
export const ENTITLING = [
  order.event.InvoicePaid,
  order.event.InvoiceRefunded,
  order.event.InvoiceVoided,
  order.event.InvoiceDisputed,
  order.event.InvoiceReopened,
  order.event.InvoiceFellPastDue,
  order.event.SubscriptionActivated,
  order.event.SubscriptionCanceled,
  order.event.SubscriptionChurned,
  order.event.OrderLineItemChanged,
  order.event.OrderChanged,
] as const

/** Type of the source of what a purchase gives: the line of an invoice by which it was bought. */
export const BOUGHT = 'orders/invoices/line_item'

type Entitling = { readonly type: string; readonly data: object }

/** Whether a change of an order may change what its buyer is entitled to. */
export const mayEntitle = ({ type, data }: Entitling): boolean =>
  type !== order.event.OrderChanged.type || 'churned_at' in data

/** Returns the invoice that was paid for the first time; `undefined`: something else has happened. */
export const firstPaid = ({ type, data }: Entitling): number | undefined =>
  type === order.event.InvoicePaid.type && 'first' in data && data.first && 'invoice_id' in data
    ? Number(data.invoice_id)
    : undefined

/** Returns what the buyers of the orders that some lines are of are entitled to. */
export const entitlementsByLines = async (
  lineIds: readonly number[],
  read: Reader,
): Promise<readonly Entitlement[]> => {
  const orderIds = new Set((await read.many(invoiceLineItem, lineIds)).map(({ order_id }) => order_id))
  return (await Promise.all([...orderIds].map((orderId) => entitlementsOf(orderId, read)))).flat()
}
