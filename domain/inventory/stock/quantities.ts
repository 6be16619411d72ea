/** Quantity at a location. */
export type Level = { readonly location_id: number; readonly quantity: number }

/** Quantity held for an order: until a moment, or without expiry once it is paid. */
export type Hold = { readonly order_id: number; readonly quantity: number; readonly expires_at: string | null }

/** Quantity of an order. */
export type OrderQuantity = Pick<Hold, 'order_id' | 'quantity'>

export interface Quantities {
  readonly levels: readonly Level[]
  readonly holds: readonly Hold[]
}

const sum = (all: readonly { readonly quantity: number }[]): number =>
  all.reduce((total, { quantity }) => total + quantity, 0)

/** Whether a hold has not expired at a moment. */
export const isLive = ({ expires_at }: Hold, at: string): boolean => expires_at === null || expires_at > at

export const onHand = ({ levels }: Pick<Quantities, 'levels'>): number => sum(levels)
export const reserved = ({ holds }: Quantities): number => sum(holds.filter(({ expires_at }) => expires_at !== null))
export const committed = ({ holds }: Quantities): number => sum(holds.filter(({ expires_at }) => expires_at === null))

/** Quantity for sale: on hand and not held. */
export const available = (stock: Quantities): number => onHand(stock) - sum(stock.holds)

/** Quantity for sale at a moment, not counting holds that expired but are still stored. */
export const availableAt = ({ levels, holds }: Quantities, at: string): number =>
  available({ levels, holds: holds.filter((hold) => isLive(hold, at)) })

export const levelAt = ({ levels }: Pick<Quantities, 'levels'>, locationId: number): number =>
  levels.find(({ location_id }) => location_id === locationId)?.quantity ?? 0

/** Levels with some of them counted anew. */
export const replaceLevels = (levels: readonly Level[], fresh: readonly Level[]): readonly Level[] => [
  ...levels.map((one) => fresh.find(({ location_id }) => location_id === one.location_id) ?? one),
  ...fresh.filter(({ location_id }) => !levels.some((one) => one.location_id === location_id)),
]

/** Levels with one location's quantity changed by an amount. */
export const adjustLevel = (levels: readonly Level[], location_id: number, by: number): readonly Level[] =>
  replaceLevels(levels, [{ location_id, quantity: levelAt({ levels }, location_id) + by }])

/** Holds with one in place of the order's previous hold. */
export const replaceHold = (holds: readonly Hold[], hold: Hold): readonly Hold[] => [
  ...holds.filter(({ order_id }) => order_id !== hold.order_id),
  hold,
]

/** Holds with quantities added for paid orders, which have no expiry. */
export const addHolds = (holds: readonly Hold[], more: readonly OrderQuantity[]): readonly Hold[] =>
  more.reduce((all, { order_id, quantity }) => {
    const own = all.find((one) => one.order_id === order_id)?.quantity ?? 0
    return replaceHold(all, { order_id, quantity: quantity + own, expires_at: null })
  }, holds)

/** Holds reduced by quantities of orders; holds that reach 0 are removed. */
export const reduceHolds = (holds: readonly Hold[], less: readonly OrderQuantity[]): readonly Hold[] =>
  holds.flatMap((hold) => {
    const quantity = hold.quantity - sum(less.filter(({ order_id }) => order_id === hold.order_id))
    return quantity > 0 ? [{ ...hold, quantity }] : []
  })

/** Part of the wanted quantities that is held for the same orders already. */
export const heldFor = (holds: readonly Hold[], wanted: readonly OrderQuantity[], at: string): number =>
  sum(
    wanted.map(({ order_id, quantity }) => {
      const hold = holds.find((one) => one.order_id === order_id && isLive(one, at))
      return { quantity: Math.min(quantity, hold?.quantity ?? 0) }
    }),
  )
