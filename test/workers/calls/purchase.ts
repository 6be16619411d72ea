import { ask } from '../../../domain/kernel/decide/ask.ts'
import { decider } from '../../../domain/kernel/decide/decider.ts'
import { type AskedOf, rules } from '../../../domain/kernel/decide/rules.ts'
import { kept } from '../../../domain/kernel/model/field.ts'
import { integer, text } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import { port } from '../../../domain/kernel/ports/calls.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { process } from '../../../domain/resources/process/index.ts'
import { processModel } from '../../../domain/resources/process/model.ts'
import { calls, tells } from '../../../domain/resources/process/steps.ts'

/** What is left of an item. */
export const stock = model('test/stock', {
  attributes: { left: integer({ required: true }) },
  events: { StockOpened: { born: true }, StockReserved: { sets: ['left'] }, StockReleased: { sets: ['left'] } },
})

type Stock = AskedOf<typeof stock>

/** Naive on purpose: told twice, it takes two. */
export const stocks = decider(stock, {
  rules: rules(stock, {
    acts: {
      reserve: ({ before: { left } }: Stock) =>
        left > 0 ? [stock.event.StockReserved({ left: left - 1 })] : refuse.invalid('It is sold out'),
      release: ({ before: { left } }: Stock) => [stock.event.StockReleased({ left: left + 1 })],
    },
  }),
})

export interface Charge {
  readonly amount_cents: number
  readonly customer: string
}

export const charges = port<Charge, { readonly charge_id: string }>('payment/charge')
export const refunds = port<{ readonly charge_id: string }, { readonly refund_id: string }>('payment/refund')
export const parcels = port<{ readonly item_id: number }, { readonly parcel: string }>('parcels')

export const purchase = processModel('test/purchase', {
  attributes: {
    item_id: integer({ required: true }),
    amount_cents: integer({ required: true }),
    customer: text({ required: true, personal: true }),
    charge_id: kept(text({ nullable: true })),
    parcel: kept(text({ nullable: true })),
  },
  events: {
    begun: 'PurchaseBegun',
    moved: 'PurchaseMoved',
    calledOff: 'PurchaseCalledOff',
    stuck: 'PurchaseStuck',
    resumed: 'PurchaseResumed',
    completed: 'PurchaseCompleted',
    undone: 'PurchaseUndone',
  },
})

/** Milliseconds that a call of the test may take, and that it waits before it is tried again. */
export const TIMEOUT_MS = 250
export const PAUSE_MS = 5
export const TRIES = 4
export const WITHIN_MS = 60_000

const again = (attempt: number) => (attempt < TRIES ? PAUSE_MS : undefined)

const reserved = (act: 'reserve' | 'release') =>
  tells(purchase, {
    tells: ({ item_id: id }) => ask(stocks, id, act, {}),
  })

const charged = calls(purchase, {
  port: charges,
  inDoubt: 'ask',
  timeoutMs: TIMEOUT_MS,
  asks: ({ amount_cents, customer }) => ({ amount_cents, customer }),
  keeps: ({ charge_id }) => ({ charge_id }),
  again,
})

const refunded = calls(purchase, {
  port: refunds,
  inDoubt: 'again',
  timeoutMs: TIMEOUT_MS,
  asks: ({ charge_id }) => ({ charge_id: charge_id ?? '' }),
  again,
})

const shipped = calls(purchase, {
  port: parcels,
  inDoubt: 'again',
  timeoutMs: TIMEOUT_MS,
  asks: ({ item_id }) => ({ item_id }),
  keeps: ({ parcel }) => ({ parcel }),
  again,
})

/** Takes an item from the stock, charges for it and ships it. */
export const purchases = process(purchase, {
  withinMs: WITHIN_MS,
  steps: [
    { name: 'reserve', does: reserved('reserve'), undo: reserved('release') },
    { name: 'charge', does: charged, undo: refunded },
    { name: 'ship', does: shipped },
  ],
})
