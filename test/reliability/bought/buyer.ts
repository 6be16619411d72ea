import { ok } from '../../support/client.ts'
import type { Random } from '../../support/random.ts'
import type { Tenant } from '../../support/service.ts'
import type { Shop } from '../../support/traffic/shop.ts'
import type { Good, Noted, Payment } from './oracle.ts'
import type { Shelf } from './shelf.ts'

/** Contact who buys, with what was noted down of it. */
export interface Buyer {
  readonly contactId: number
  readonly address: string
  readonly orders: Noted[]
  /** The ban under which it is. */
  banId: number | undefined
  /** What was done, for whoever reads a failure. */
  readonly story: string[]
}

interface Place {
  readonly tenant: Tenant
  readonly shop: Shop
  readonly shelf: Shelf
  readonly numbers: Random
}

/** Something that happens to a buyer, or `undefined` where it cannot. */
type Act = (place: Place, buyer: Buyer) => (() => Promise<string>) | undefined

const AT = '2026-01-01T00:00:00Z'
const paidNow = (goods: readonly Good[]): Payment => ({ goods, status: 'paid', everPaid: true })

const buysElsewhere: Act =
  ({ tenant, shelf, numbers }, { contactId, orders }) =>
  async () => {
    const good = numbers.pick(['once', 'all'] as const)
    const order = {
      ...{ order_type: 'one-time-order', live_mode: false, contact_id: contactId },
      line_items_attributes: [{ ...shelf.goods[good].line, quantity: 1 }],
    }
    const { id } = ok(await tenant.api.post(`/workspaces/${tenant.workspaceId}/orders`, { order }))
    const noted: Noted = { id, kind: 'external', payments: [], current: undefined, standing: 'going on' }
    orders.push(noted)
    return `buys ${good} elsewhere, ${await billing(tenant, noted, [good], numbers.pick(['paid', 'paid', 'unpaid'] as const))}`
  }

const billing = async (tenant: Tenant, noted: Noted, goods: readonly Good[], status: 'paid' | 'unpaid') => {
  const external_id = `bill ${noted.id} ${noted.payments.length}`
  const orders_invoice = { external_id, status, ...(status === 'paid' && { paid_at: AT }) }
  ok(await tenant.api.post(`/orders/${noted.id}/invoices`, { orders_invoice }))
  noted.payments.push({ goods, status, everPaid: status === 'paid' })
  return `order ${noted.id} has an invoice that is ${status}`
}

const ofKind = ({ orders }: Buyer, kind: Noted['kind']) => orders.filter((one) => one.kind === kind)

const isBilledAgain: Act = ({ tenant, numbers }, buyer) => {
  const [noted] = ofKind(buyer, 'external')
  const goods = noted?.payments[0]?.goods
  return noted && goods && (() => billing(tenant, noted, goods, numbers.pick(['paid', 'unpaid'] as const)))
}

const STATUSES = ['paid', 'refunded', 'disputed', 'voided', 'unpaid', 'past-due'] as const

const isRestated: Act = ({ tenant, shop, numbers }, buyer) => {
  const external = ofKind(buyer, 'external')
  if (external.length === 0) return undefined
  return async () => {
    const noted = numbers.pick(external)
    const at = numbers.below(noted.payments.length)
    const status = numbers.pick(STATUSES)
    const invoices = await shop.invoices(noted.id)
    const orders_invoice = { status, ...(status === 'paid' && { paid_at: AT }) }
    ok(await tenant.api.put(`/orders/invoices/${invoices[at].id}`, { orders_invoice }))
    const payment = noted.payments[at]!
    payment.status = status
    payment.everPaid ||= status === 'paid'
    return `invoice ${at} of order ${noted.id} is ${status}`
  }
}

const subscribes: Act =
  ({ shop, shelf, numbers }, { contactId, orders }) =>
  async () => {
    const goods = numbers.pick([['basic'], ['dear'], ['once', 'basic'], ['all', 'dear']] as const)
    const line_items_attributes = goods.map((good) => ({ ...shelf.goods[good].line, quantity: 1 }))
    const sale = await shop.buys(shelf.goods.basic.line, { contact_id: contactId, line_items_attributes })
    const current = goods.at(-1)!
    const payments = [paidNow(goods)]
    orders.push({ id: sale.order_id, kind: 'subscription', payments, current, standing: 'going on' })
    return `buys ${goods.join(' and ')} in order ${sale.order_id}`
  }

const isRefunded: Act = ({ tenant, shop, numbers }, buyer) => {
  const refundable = ofKind(buyer, 'subscription').filter(({ payments }) =>
    payments.some((one) => one.status === 'paid'),
  )
  if (refundable.length === 0) return undefined
  return async () => {
    const noted = numbers.pick(refundable)
    const held = noted.payments.flatMap((one, index) => (one.status === 'paid' ? index : []))
    const at = numbers.pick(held)
    const sales = (await shop.transactions(noted.id)).filter((one) => one.external_type === 'sale')
    ok(await tenant.api.post(`/orders/transactions/${sales[at].id}/refund`))
    noted.payments[at]!.status = 'refunded'
    return `payment ${at} of order ${noted.id} is given back`
  }
}

const goingOn = (buyer: Buyer) => ofKind(buyer, 'subscription').filter(({ standing }) => standing === 'going on')

const moves: Act = ({ tenant, shop, shelf, numbers }, buyer) => {
  const movable = goingOn(buyer)
  if (movable.length === 0) return undefined
  return async () => {
    const noted = numbers.pick(movable)
    const to: Good = noted.current === 'basic' ? 'dear' : 'basic'
    const effective_time = to === 'dear' ? numbers.pick(['now', 'next_renewal'] as const) : 'next_renewal'
    const before = (await shop.invoices(noted.id)).length
    const line = (await shop.order(noted.id)).line_items.at(-1)
    const { products_price_id } = shelf.goods[to].line
    const orders_line_items_change = { products_price_id, effective_time }
    ok(await tenant.api.post(`/orders/line_items/${line.id}/changes/perform`, { orders_line_items_change }))
    noted.current = to
    // Going back up within a period that was paid at the dearer price costs nothing, and makes no invoice.
    if ((await shop.invoices(noted.id)).length > before) noted.payments.push(paidNow([to]))
    return `order ${noted.id} moves to ${to} ${effective_time}`
  }
}

const cancels: Act = ({ tenant, numbers }, buyer) => {
  const cancelable = goingOn(buyer)
  if (cancelable.length === 0) return undefined
  return async () => {
    const noted = numbers.pick(cancelable)
    const effective_date = numbers.pick(['now', 'next_renewal'] as const)
    ok(await tenant.api.post(`/orders/${noted.id}/cancel`, { order: { effective_date } }))
    noted.standing = effective_date === 'now' ? 'over' : 'ending'
    return `order ${noted.id} is canceled, ${effective_date}`
  }
}

/** Bans who has been a member: a ban of somebody who never was is another rule. */
const isBanned: Act = ({ tenant, shelf }, buyer) => {
  const wasMember = buyer.orders.some(({ payments }) => payments.some(({ everPaid }) => everPaid))
  if (!wasMember || buyer.banId !== undefined) return undefined
  return async () => {
    const communities_ban = { contact_id: buyer.contactId }
    buyer.banId = ok(await tenant.api.post(`/communities/${shelf.communityId}/bans`, { communities_ban })).id
    return 'is banned'
  }
}

const isUnbanned: Act = ({ tenant }, buyer) => {
  const { banId } = buyer
  if (banId === undefined) return undefined
  return async () => {
    const { status } = await tenant.api.delete(`/communities/bans/${banId}`)
    if (status >= 300) throw new Error(`the ban stayed: ${status}`)
    buyer.banId = undefined
    return 'is not banned any more'
  }
}

const ACTS: readonly Act[] = [
  ...[buysElsewhere, subscribes, isBilledAgain, isRestated, isRestated, isRefunded],
  ...[moves, moves, cancels, isBanned, isUnbanned],
]

/** Lets something happen to a buyer, and notes it down. */
export const happens = async (place: Place, buyer: Buyer): Promise<void> => {
  const possible = ACTS.flatMap((act) => act(place, buyer) ?? [])
  buyer.story.push(await place.numbers.pick(possible)())
}

/** Notes down that more than a month has passed: what goes on was renewed, what was ending is over. */
export const monthPasses = ({ orders, story }: Buyer): void => {
  for (const noted of orders) {
    if (noted.standing === 'ending') noted.standing = 'over'
    if (noted.kind === 'subscription' && noted.standing === 'going on' && noted.current)
      noted.payments.push(paidNow([noted.current]))
  }
  story.push('a month passes')
}
