import { Type } from 'typebox'
import { managed, requested } from '../../kernel/model/field.ts'
import { data, reference } from '../../kernel/model/fields.ts'
import { model } from '../../kernel/model/model.ts'
import {
  addHolds,
  adjustLevel,
  type Hold,
  type Level,
  type OrderQuantity,
  reduceHolds,
  replaceHold,
  replaceLevels,
} from './quantities.ts'

/** Quantity that a fulfilment sent beyond what was in stock. */
export type Shortfall = { readonly fulfillment_id: number; readonly quantity: number }

/** Quantity of an order's hold that a restock released. */
export type OfRestock = OrderQuantity & { readonly restock_id: number }

type Begun = { readonly initial: readonly [] }
type Before = { readonly levels: readonly Level[]; readonly holds: readonly Hold[] } | undefined
type WithPutBack = Before & { readonly put_back: readonly OfRestock[] }
type WithShortfalls = Before & { readonly shortfalls: readonly Shortfall[] }
type Taken = {
  readonly fulfillment_id: number
  readonly location_id: number
  readonly quantity: number
  readonly short: number
  readonly orders: readonly OrderQuantity[]
}
type Returned = Pick<Taken, 'fulfillment_id' | 'location_id' | 'quantity'> & {
  /** Quantities that are held again for their orders; absent in events that are older than that. */
  readonly owed?: readonly OrderQuantity[]
}

const quantity = Type.Integer()
const levels = data<readonly Level[], Begun>(Type.Array(Type.Object({ location_id: Type.Integer(), quantity })), {
  initial: [],
})
const holds = data<readonly Hold[], Begun>(
  Type.Array(Type.Object({ order_id: Type.Integer(), quantity, expires_at: Type.Union([Type.String(), Type.Null()]) })),
  { initial: [] },
)
const shortfalls = data<readonly Shortfall[], Begun>(
  Type.Array(Type.Object({ fulfillment_id: Type.Integer(), quantity })),
  { initial: [] },
)

const putBack = data<readonly OfRestock[], Begun>(
  Type.Array(Type.Object({ restock_id: Type.Integer(), order_id: Type.Integer(), quantity })),
  { initial: [] },
)

const holdsOf = (before: Before): readonly Hold[] => before?.holds ?? []
const levelsOf = (before: Before): readonly Level[] => before?.levels ?? []

/** Earliest expiry of a hold. */
const firstExpiry = (all: readonly Hold[]): string | null =>
  all.reduce<string | null>(
    (first, { expires_at }) => (expires_at !== null && (first === null || expires_at < first) ? expires_at : first),
    null,
  )

/** Quantity of a variant by location, and its holds by order. The aggregate ensures that nothing is sold twice. */
export const stock = model('fulfillments/stock', {
  attributes: {
    variant_id: reference('products/variant', { required: true }),
    levels: requested(levels),
    holds: managed(holds, { shown: 'never' }),
    shortfalls: managed(shortfalls, { shown: 'never' }),
    put_back: managed(putBack, { shown: 'never' }),
  },
  events: {
    StockTracked: { creates: true, only: ['variant_id', 'levels'] },
    StockCounted: {
      evolve: (before: Before, data: { readonly levels: readonly Level[] }) => ({
        levels: replaceLevels(levelsOf(before), data.levels),
      }),
    },
    StockRestocked: {
      evolve: (before: Before, { location_id, quantity }: Level) => ({
        levels: adjustLevel(levelsOf(before), location_id, quantity),
      }),
    },
    StockReserved: {
      evolve: (before: Before, { order_id, quantity, expires_at }: Hold) => ({
        holds: replaceHold(holdsOf(before), { order_id, quantity, expires_at }),
      }),
    },
    StockCommitted: {
      evolve: (before: Before, { order_id, quantity }: OrderQuantity) => ({
        holds: replaceHold(holdsOf(before), { order_id, quantity, expires_at: null }),
      }),
    },
    StockReleased: {
      evolve: (before: Before, released: OrderQuantity) => ({ holds: reduceHolds(holdsOf(before), [released]) }),
    },
    StockPutBack: {
      evolve: (before: WithPutBack | undefined, part: OfRestock) => ({
        holds: reduceHolds(holdsOf(before), [part]),
        put_back: [...(before?.put_back ?? []), part],
      }),
    },
    StockKeptAgain: {
      evolve: (before: WithPutBack | undefined, part: OfRestock) => ({
        holds: addHolds(holdsOf(before), [part]),
        put_back: (before?.put_back ?? []).filter(
          (one) => one.restock_id !== part.restock_id || one.order_id !== part.order_id,
        ),
      }),
    },
    StockReservationsLapsed: {
      evolve: (before: Before, { order_ids }: { readonly order_ids: readonly number[] }) => ({
        holds: holdsOf(before).filter(({ order_id }) => !order_ids.includes(order_id)),
      }),
    },
    StockTaken: {
      evolve: (before: WithShortfalls | undefined, taken: Taken) => {
        const { fulfillment_id, location_id, quantity, short, orders } = taken
        return {
          levels: adjustLevel(levelsOf(before), location_id, -quantity),
          holds: reduceHolds(holdsOf(before), orders),
          ...(short > 0 && { shortfalls: [...(before?.shortfalls ?? []), { fulfillment_id, quantity: short }] }),
        }
      },
    },
    StockReturned: {
      evolve: (before: WithShortfalls | undefined, { fulfillment_id, location_id, quantity, owed }: Returned) => ({
        levels: adjustLevel(levelsOf(before), location_id, quantity),
        ...(owed && { holds: addHolds(holdsOf(before), owed) }),
        shortfalls: (before?.shortfalls ?? []).filter((one) => one.fulfillment_id !== fulfillment_id),
      }),
    },
    StockUntracked: { ends: true },
  },
  unique: [{ attributes: ['variant_id'], says: 'Variant has stock already' }],
  derives: {
    version: 1,
    of: (record) => ({
      location_ids: record.levels.filter(({ quantity }) => quantity !== 0).map(({ location_id }) => location_id),
    }),
  },
  timers: { lapse: { due: ({ holds }) => firstExpiry(holds) } },
})
