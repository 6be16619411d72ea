import { boundTo, isAt } from '../../../domain/kernel/decide/bound-reader.ts'
import { readerOver } from '../../../domain/kernel/decide/rules.ts'
import type { RecordOf } from '../../../domain/kernel/model/model.ts'
import { order, type order as orderModel } from '../../../domain/orders/order/model.ts'
import { invoice, lineItem, orders } from '../../../domain/orders/public.ts'
import { price } from '../../../domain/store/price/model.ts'
import { filled } from '../../html/filled.ts'
import type { SignedInRequest } from '../request.ts'
import { shownTime } from '../shell.ts'

export type Order = RecordOf<typeof orderModel>
export type Invoice = RecordOf<typeof invoice>
type Line = RecordOf<typeof lineItem>

/** Order of the member who asks for it. */
export interface OwnOrder {
  readonly order: Order
  readonly invoices: readonly Invoice[]
  /** Whether all prices by which it goes on let customers cancel. */
  readonly selfCancel: boolean
}

export const ORDERS = '/members/orders'

/** Whether all recurring prices of an order let customers cancel. A price that is gone keeps nobody. */
const selfCancelOf = async ({ service, site }: SignedInRequest, lines: readonly Line[]): Promise<boolean> => {
  const ids = [...new Set(lines.map(({ products_price_id }) => products_price_id))]
  const prices = await readerOver(boundTo(service.everywhere, site)).many(price, ids)
  return prices.every(({ payment_type, self_cancel }) => !isRecurring(payment_type) || self_cancel)
}

/** Returns an order of the member as the log has it now; `undefined` for what is none of theirs. */
export const ownOrder = async (request: SignedInRequest, id: number): Promise<OwnOrder | undefined> => {
  const { service, viewer, site } = request
  const records = await service.engine.records(orders, id, -1)
  const found = records.root(order)
  if (!found || found.contact_id !== viewer.contact.id || !isAt(site, found)) return undefined
  const selfCancel = await selfCancelOf(request, records.all(lineItem))
  return { order: found, invoices: records.all(invoice), selfCancel }
}

const isRecurring = (type: string | null): boolean => type === 'subscription' || type === 'payment_plan'

const SUBSCRIPTION = 'subscription-order'
const RUNNING: ReadonlySet<string> = new Set(['pending', 'active', 'paused'])

/** Whether an order goes on and is billed here. What another system bills is cancelled there. */
const isRunning = ({ order_type, service_status, payment_processor }: Order): boolean =>
  order_type === SUBSCRIPTION && RUNNING.has(service_status) && payment_processor !== 'external'

/** Whether the member can cancel an order here: its prices must let customers do so. */
export const isCancelable = ({ order: one, selfCancel }: OwnOrder): boolean => isRunning(one) && selfCancel

/** Whether only the shop can cancel an order. */
export const isForShop = ({ order: one, selfCancel }: OwnOrder): boolean => isRunning(one) && !selfCancel

/** Returns how a subscription stands, in words; `undefined` for what is none. */
export const standingOf = (request: SignedInRequest, one: Order): string | undefined => {
  const { words, at } = request
  const { order_type, service_status, churned_at, in_trial } = one
  if (order_type !== SUBSCRIPTION) return undefined
  if (service_status === 'canceled' && churned_at !== null && churned_at > at)
    return filled(words.order.endsOn, { time: shownTime(request, churned_at) })
  if (service_status === 'paused') return words.order.paused
  if (RUNNING.has(service_status)) return in_trial ? words.order.trialing : words.order.active
  return words.order.over
}

/** Returns how what an order or an invoice asks for stands, in words. */
export const paymentOf = ({ words }: SignedInRequest, status: string): string => {
  if (status === 'paid') return words.order.paid
  if (status === 'refunded') return words.order.refunded
  return status === 'partially-refunded' ? words.order.partlyRefunded : words.order.unpaid
}
