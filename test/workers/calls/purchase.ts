import { ask } from '../../../domain/kernel/decide/ask.ts'
import { decider } from '../../../domain/kernel/decide/decider.ts'
import { type ActContext, rules } from '../../../domain/kernel/decide/rules.ts'
import { managed } from '../../../domain/kernel/model/field.ts'
import { integer, text } from '../../../domain/kernel/model/fields.ts'
import { model } from '../../../domain/kernel/model/model.ts'
import { port } from '../../../domain/kernel/ports/calls.ts'
import { refuse } from '../../../domain/kernel/values/refusal.ts'
import { process } from '../../../domain/resources/process/index.ts'
import { processModel } from '../../../domain/resources/process/model.ts'
import { call, command } from '../../../domain/resources/process/steps.ts'

/** Stock of an item. */
export const stock = model('test/stock', {
  attributes: { left: integer({ required: true }) },
  events: { StockOpened: { creates: true }, StockReserved: { sets: ['left'] }, StockReleased: { sets: ['left'] } },
})

type Stock = ActContext<typeof stock>

/** Not idempotent, on purpose: a repeated command takes two items. */
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
    charge_id: managed(text({ nullable: true })),
    parcel: managed(text({ nullable: true })),
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

/** Time limit of a call in tests, and pause before its next attempt, in milliseconds. */
export const TIMEOUT_MS = 250
export const PAUSE_MS = 5
export const TRIES = 4
export const WITHIN_MS = 60_000

const retryAfterMs = (attempt: number) => (attempt < TRIES ? PAUSE_MS : undefined)

const reserved = (act: 'reserve' | 'release') =>
  command(purchase, {
    command: ({ item_id: id }) => ask(stocks, id, act, {}),
  })

const charged = call(purchase, {
  port: charges,
  onUnknown: 'query',
  timeoutMs: TIMEOUT_MS,
  request: ({ amount_cents, customer }) => ({ amount_cents, customer }),
  saveResult: ({ charge_id }) => ({ charge_id }),
  retryAfterMs,
})

const refunded = call(purchase, {
  port: refunds,
  onUnknown: 'retry',
  timeoutMs: TIMEOUT_MS,
  request: ({ charge_id }) => ({ charge_id: charge_id ?? '' }),
  retryAfterMs,
})

const shipped = call(purchase, {
  port: parcels,
  onUnknown: 'retry',
  timeoutMs: TIMEOUT_MS,
  request: ({ item_id }) => ({ item_id }),
  saveResult: ({ parcel }) => ({ parcel }),
  retryAfterMs,
})

/** Takes an item from the stock, charges for it and ships it. */
export const purchases = process(purchase, {
  withinMs: WITHIN_MS,
  steps: [
    { name: 'reserve', invoke: reserved('reserve'), compensate: reserved('release') },
    { name: 'charge', invoke: charged, compensate: refunded },
    { name: 'ship', invoke: shipped },
  ],
})
