import { readEverywhere } from '../../../domain/kernel/decide/rules.ts'
import { inStretches, readOn } from '../../../domain/kernel/ports/read-on.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { order, orderNumber } from '../../../domain/orders/order/model.ts'
import { COMPENSATED, COMPLETED, checkout, orders, unitsOnPages } from '../../../domain/orders/public.ts'
import { product, variant } from '../../../domain/store/public.ts'
import { findAfterCatchUp } from '../../read-your-writes.ts'
import type { SdkHandler } from '../calls.ts'
import type { SdkService } from '../service.ts'
import { sessionOf, type Visitors } from '../visitor.ts'
import { billingOf, shippingOf } from './address-of.ts'
import type { AddressOnPage } from './read-cart.ts'
import { type CheckoutRecord, checkoutOf } from './status.ts'

/** Orders of one session that are shown: the first ones. */
const MOST = 20

/** Returns the names of what lines sold, as pages name them. */
const namesOf = async (
  { everywhere: live }: SdkService,
  lines: NonNullable<CheckoutRecord['lines']>,
): Promise<string[]> =>
  Promise.all(
    lines.map(async ({ variant_id, product_id }) => {
      const name = (await live.get(variant.name, variant_id))?.name ?? (await live.get(product.name, product_id))?.name
      return typeof name === 'string' ? name : ''
    }),
  )

const shown = (address: AddressOnPage | null): JsonObject | null => address && { ...address }

/** Returns the order of a checkout as its buyer sees it: what was bought, and the addresses that the buyer typed for it. */
const shownOrder = async (service: SdkService, of: CheckoutRecord): Promise<JsonObject | undefined> => {
  if (of.status !== COMPLETED || of.order_id === null) return undefined
  const placed = (await service.engine.records(orders, of.order_id, -1)).root(order)
  if (!placed) return undefined
  const { currency } = placed
  const units = (amount: string | null) => unitsOnPages(amount ?? '0', currency)
  const lines = of.lines ?? []
  const names = await namesOf(service, lines)
  return {
    number: orderNumber(placed.order_number),
    placed_at: placed.created_at,
    line_items: lines.map(({ quantity, amount }, index) => ({
      ...{ name: names[index] ?? '', quantity },
      line_amount: units(amount) * quantity,
    })),
    totals: {
      subtotal: units(of.subtotal_amount),
      discount: units(of.discount_amount),
      tax: units(of.tax_amount),
      shipping: units(of.shipping_amount),
      total: units(of.total_amount),
      currency,
    },
    shipping_address: shown(shippingOf(of)),
    billing_address: shown(billingOf(of)),
  }
}

/** Returns the orders that the checkouts of a session have made, as they are in the log; `undefined`: none of them has begun, or all were refused. */
const madeIn = async (service: SdkService, session_id: number): Promise<readonly JsonObject[] | undefined> => {
  const query = { where: { session_id, status: { $ne: COMPENSATED } }, limit: MOST }
  const begun = inStretches((next) => readEverywhere(service.everywhere).find(checkout, next), query)
  let isAny = false
  const made = await readOn(begun, MOST, async (some) => {
    isAny = true
    const found = await Promise.all(some.map(({ id }) => checkoutOf(service, id)))
    const orders = await Promise.all(found.map((one) => one && shownOrder(service, one)))
    return orders.filter((one) => one !== undefined)
  })
  return isAny ? made : undefined
}

/** Answers the orders that a session has made, to that session alone. */
export const ordersOfSession =
  (service: SdkService, visitors: Visitors): SdkHandler =>
  async ({ found, body }) => {
    if (found.mode === 'preview') return { orders: [] }
    const session = await sessionOf(visitors, body.session, found)
    return { orders: (await findAfterCatchUp(service, () => madeIn(service, session.id))) ?? [] }
  }
