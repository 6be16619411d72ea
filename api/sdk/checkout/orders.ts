import { readEverywhere } from '../../../domain/kernel/decide/rules.ts'
import type { JsonObject } from '../../../domain/kernel/values/event.ts'
import { order, orderNumber } from '../../../domain/orders/order/model.ts'
import { COMPENSATED, COMPLETED, checkout, orders, unitsOnPages } from '../../../domain/orders/public.ts'
import { product, variant } from '../../../domain/store/public.ts'
import { findAfterCatchUp } from '../../handlers/read-your-writes.ts'
import type { SdkHandler } from '../calls.ts'
import type { SdkService } from '../service.ts'
import { sessionOf, type Visitors } from '../visitor.ts'
import { billingOf, shippingOf } from './address-of.ts'
import type { AddressOnPage } from './read-cart.ts'
import { type CheckoutRecord, checkoutOf } from './status.ts'

/** Orders of one session that are shown: the first ones. */
const MOST = 20

/** Returns the checkouts of a session that were not refused, as they are in the log. */
const checkoutsOf = async (service: SdkService, session_id: number): Promise<readonly CheckoutRecord[]> => {
  const begun = await findAfterCatchUp(service, async () => {
    const found = await readEverywhere(service.live).find(checkout, { where: { session_id }, limit: 10 * MOST })
    const kept = found.filter(({ status }) => status !== COMPENSATED)
    return kept.length > 0 ? kept : undefined
  })
  const found = await Promise.all((begun ?? []).slice(0, MOST).map(({ id }) => checkoutOf(service, id)))
  return found.filter((one) => one !== undefined)
}

/** Returns the names of what lines sold, as pages name them. */
const namesOf = async ({ live }: SdkService, lines: NonNullable<CheckoutRecord['lines']>): Promise<string[]> =>
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

/** Answers the orders that a session has made, to that session alone. */
export const ordersOfSession =
  (service: SdkService, visitors: Visitors): SdkHandler =>
  async ({ found, body }) => {
    if (found.mode === 'preview') return { orders: [] }
    const session = await sessionOf(visitors, body.session, found)
    const made = await Promise.all((await checkoutsOf(service, session.id)).map((one) => shownOrder(service, one)))
    return { orders: made.filter((one) => one !== undefined) }
  }
