import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { product, variant } from '../../store/public.ts'
import { location } from '../location.ts'
import { type OfRestock, stock } from './model.ts'
import {
  availableAt,
  heldFor,
  isLive,
  type Level,
  levelAt,
  type OrderQuantity,
  onHand,
  replaceLevels,
} from './quantities.ts'

const { event } = stock
type Happens = Events<typeof stock>
type Stock = DecisionContext<typeof stock>
type StockOf<Input> = ActContext<typeof stock, Input>
type ForOrder = OrderQuantity & { readonly expires_at?: string }
type ForFulfillment = {
  readonly fulfillment_id: number
  readonly location_id: number
  readonly quantity: number
  readonly orders: readonly OrderQuantity[]
}

/** Reservations expire after this time without payment. */
const RESERVED_FOR_MS = 30 * 60 * 1000

/**
 * Reads whether the variant is sold without stock, by its own setting or the default variant's, and the named
 * locations.
 */
const loadFacts = async ({ before, wanted }: Stock, read: Reader) => {
  const ownVariant = await read.one(variant, before?.variant_id ?? wanted.variant_id)
  const isSet = ownVariant === undefined || ownVariant.out_of_stock_sales !== null
  const parent = isSet ? undefined : await read.one(product, ownVariant.product_id)
  const inherited = parent && (await read.one(variant, parent.default_variant_id))
  const named = [...new Set((wanted.levels ?? []).map(({ location_id }) => location_id))]
  const found = await read.many(location, named)
  return {
    oversells: (ownVariant?.out_of_stock_sales ?? inherited?.out_of_stock_sales) === true,
    locations: found.map(({ id }) => id),
  }
}
type Facts = Awaited<ReturnType<typeof loadFacts>>

const levelProblem = (text: string, code: string) => refuse.invalid(`Levels ${text}`, 'levels', code)

/** Sets the levels that are sent; other locations keep theirs. */
const count = ({ before, wanted, after, at }: Stock, { oversells, locations }: Facts) => {
  const sent: readonly Level[] = wanted.levels ?? []
  const named = sent.map(({ location_id }) => location_id)
  if (new Set(named).size < named.length) return levelProblem('name a location twice', 'taken')
  // A location that was closed may still have received returned goods.
  const isKnown = (id: number) => locations.includes(id) || before?.levels.some((one) => one.location_id === id)
  const missing = named.filter((id) => !isKnown(id))
  if (missing.length > 0)
    return levelProblem(`contain locations not found in this workspace: ${missing.join(', ')}`, 'not_found')
  if (!before) return { levels: sent }
  const fresh = sent.filter(({ location_id, quantity }) => {
    const isLevel = before.levels.some((one) => one.location_id === location_id)
    return !isLevel || levelAt(before, location_id) !== quantity
  })
  if (fresh.length === 0) return []
  const held = onHand(before) - availableAt(before, at)
  if (!oversells && onHand({ levels: replaceLevels(after.levels, fresh) }) < held)
    return levelProblem(`leave less than the ${held} that are kept back for orders`, 'too_small')
  return [event.StockCounted({ levels: fresh })]
}

const short = (left: number) =>
  refuse.invalid(`Quantity is more than what is in stock (${Math.max(0, left)})`, 'quantity', 'out_of_stock')

/** Current hold of the order, and the quantity it may hold in total. */
const standing = ({ before, wanted, at }: StockOf<ForOrder>) => {
  const hold = before.holds.find((one) => one.order_id === wanted.order_id && isLive(one, at))
  return { hold, free: availableAt(before, at) + (hold?.quantity ?? 0) }
}

/** Holds a quantity for an unpaid order. Repeating it adds no event. */
const reserve = (asked: StockOf<ForOrder>, { oversells }: Facts): Happens | Refusal => {
  const {
    order_id = 0,
    quantity = 0,
    expires_at = new Date(Date.parse(asked.at) + RESERVED_FOR_MS).toISOString(),
  } = asked.wanted
  const { hold, free } = standing(asked)
  if (hold && (hold.expires_at === null || hold.quantity === quantity)) return []
  if (quantity > Math.max(free, hold?.quantity ?? 0) && !oversells) return short(free)
  return [event.StockReserved({ order_id, quantity, expires_at })]
}

/** Holds a quantity for a paid order. An expired reservation is renewed if enough is left. */
const commit = (asked: StockOf<ForOrder>, { oversells }: Facts): Happens | Refusal => {
  const { order_id, quantity } = asked.wanted
  const { hold, free } = standing(asked)
  if (hold?.expires_at === null && hold.quantity === quantity) return []
  if (quantity > Math.max(free, hold?.quantity ?? 0) && !oversells) return short(free)
  return [event.StockCommitted({ order_id, quantity })]
}

/** Reduces the hold of an order; without a quantity, removes it. */
const release = ({ before, wanted }: StockOf<ForOrder>): Happens => {
  const hold = before.holds.find(({ order_id }) => order_id === wanted.order_id)
  if (!hold) return []
  const quantity = Math.min(wanted.quantity ?? hold.quantity, hold.quantity)
  return [event.StockReleased({ order_id: hold.order_id, quantity })]
}

/** Releases held goods that will not be sent, and records how many. */
const putBack = ({ before, wanted }: StockOf<OfRestock>): Happens => {
  const { restock_id, order_id, quantity } = wanted
  const hold = before.holds.find((one) => one.order_id === order_id)
  const less = Math.min(quantity, hold?.quantity ?? 0)
  return less === 0 ? [] : [event.StockPutBack({ restock_id, order_id, quantity: less })]
}

/** Holds again what a restock had released, if enough is left. */
const keepAgain = ({ before, wanted, at }: StockOf<Pick<OfRestock, 'restock_id'>>, { oversells }: Facts) => {
  const { restock_id } = wanted
  const parts = before.put_back.filter((one) => one.restock_id === restock_id)
  const left = availableAt(before, at)
  const missing = parts.reduce((sum, { quantity }) => sum + quantity, 0) > left && !oversells
  return missing ? short(left) : parts.map((part) => event.StockKeptAgain(part))
}

const lapse = ({ before, at }: StockOf<unknown>): Happens => {
  const order_ids = before.holds.filter((hold) => !isLive(hold, at)).map(({ order_id }) => order_id)
  return order_ids.length === 0 ? [] : [event.StockReservationsLapsed({ order_ids })]
}

const restock = ({ wanted: { location_id, quantity } }: StockOf<Level>): Happens => [
  event.StockRestocked({ location_id, quantity }),
]

/** Quantity that a fulfilment can take at a location, without what is held for other orders. */
const takable = ({ before, wanted, at }: StockOf<ForFulfillment>): number => {
  const { location_id, orders } = wanted
  return Math.max(
    0,
    Math.min(levelAt(before, location_id), availableAt(before, at) + heldFor(before.holds, orders, at)),
  )
}

/** Adds no events: refuses a fulfilment of more than is in stock. */
const assure = (asked: StockOf<ForFulfillment>, { oversells }: Facts): Happens | Refusal => {
  const { quantity } = asked.wanted
  const left = takable(asked)
  if (oversells || quantity <= left) return []
  const says = `Stock of variant ${asked.before.variant_id} at the location is ${left}, not ${quantity}`
  return refuse.invalid(says, 'fulfillment.included_orders_invoices_line_items_attributes', 'out_of_stock')
}

/** Takes what a fulfilment sends. Records what was missing, so that no more is returned than was taken. */
const take = (asked: StockOf<ForFulfillment>, { oversells }: Facts): Happens => {
  const { fulfillment_id, location_id, quantity, orders } = asked.wanted
  const taken = oversells ? quantity : Math.min(quantity, takable(asked))
  return [event.StockTaken({ fulfillment_id, location_id, quantity: taken, short: quantity - taken, orders })]
}

/** Returns what a fulfilment took, and holds again what is still owed to buyers. */
const giveBack = ({
  before,
  wanted,
}: StockOf<ForFulfillment & { readonly owed: readonly OrderQuantity[] }>): Happens => {
  const { fulfillment_id, location_id, owed = [] } = wanted
  const missed = before.shortfalls.find((one) => one.fulfillment_id === fulfillment_id)?.quantity ?? 0
  const quantity = wanted.quantity - missed
  let left = quantity
  const held = owed.flatMap((one) => {
    const part = Math.min(one.quantity, left)
    left -= part
    return part > 0 ? [{ order_id: one.order_id, quantity: part }] : []
  })
  return [event.StockReturned({ fulfillment_id, location_id, quantity, owed: held })]
}

const preventRemoval = ({ before, at }: ActContext<typeof stock>): Refusal | undefined =>
  availableAt(before, at) === onHand(before)
    ? undefined
    : refuse.invalid('Stock that is kept back for orders cannot be removed', 'base', 'occupied')

/** Rules of stock: counts by people, holds by orders, quantities taken by fulfilments (spec 3). */
export const stocks = decider(stock, {
  rules: rules(stock, {
    loadFacts,
    save: [count],
    preventRemoval,
    acts: { reserve, commit, release, putBack, keepAgain, lapse, restock, assure, take, giveBack },
    timers: { lapse: 'lapse' },
  }),
})
