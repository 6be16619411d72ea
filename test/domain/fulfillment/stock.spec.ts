import { expect } from 'chai'
import fc from 'fast-check'
import { stock } from '../../../domain/inventory/stock/model.ts'
import { available, onHand } from '../../../domain/inventory/stock/quantities.ts'
import { stocks } from '../../../domain/inventory/stock/rules.ts'
import type { StreamState } from '../../../domain/kernel/decide/stream-state.ts'
import { RecordsOfStream } from '../../../domain/kernel/decide/stream-state.ts'
import type { DomainEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { streamOf } from '../../../domain/kernel/values/stream-name.ts'
import { AT, ask, given, ROOT, stateAfter, WORKSPACE } from '../../support/decider.ts'

const LOCATIONS = [1, 2]
const facts = { oversells: false, locations: LOCATIONS }
const tracked = (...quantities: number[]) => ({
  type: 'StockTracked',
  data: {
    variant_id: 5,
    levels: quantities.map((quantity, index) => ({ location_id: LOCATIONS[index]!, quantity })),
  },
})
const reserved = (order_id: number, quantity: number, expires_at = '2026-03-01T09:30:00.000Z') => ({
  type: 'StockReserved',
  data: { order_id, quantity, expires_at },
})
const committed = (order_id: number, quantity: number) => ({ type: 'StockCommitted', data: { order_id, quantity } })
const sent = (fulfillment_id: number, quantity: number, orders: object[] = []) => ({
  fulfillment_id,
  location_id: 1,
  quantity,
  orders,
})

describe('stock', () => {
  it('is reserved for an order for 30 minutes, from the free stock', () => {
    const there = given(stocks, tracked(2, 1), committed(8, 1))
    there.when(ask('reserve', { order_id: 9, quantity: 2 }), facts).then(reserved(9, 2))
    there
      .when(ask('reserve', { order_id: 9, quantity: 3 }), facts)
      .refuses('invalid', 'Quantity is more than what is in stock (2)')
    there.when(ask('reserve', { order_id: 9, quantity: 3 }), { ...facts, oversells: true }).then(reserved(9, 3))
  })

  it('that a restock puts back is no more than was kept back, and is kept again as much', () => {
    const part = { restock_id: 4, order_id: 9, quantity: 2 }
    const paid = given(stocks, tracked(3), committed(9, 2))
    paid.when(ask('putBack', { ...part, quantity: 3 }), facts).then({ type: 'StockPutBack', data: part })
    given(stocks, tracked(3)).when(ask('putBack', part), facts).thenNothing()
    const back = { type: 'StockPutBack', data: part }
    const there = given(stocks, tracked(3), committed(9, 3), back)
    there.when(ask('keepAgain', { restock_id: 4 }), facts).then({ type: 'StockKeptAgain', data: part })
    there.when(ask('keepAgain', { restock_id: 5 }), facts).thenNothing()
    const sold = given(stocks, tracked(3), committed(9, 3), back, committed(8, 1))
    sold.when(ask('keepAgain', { restock_id: 4 }), facts).refuses('invalid', /more than what is in stock \(1\)/)
  })

  it('has no events when a command is repeated', () => {
    const once = given(stocks, tracked(3), reserved(9, 2))
    once.when(ask('reserve', { order_id: 9, quantity: 2 }), facts).thenNothing()
    once.when(ask('reserve', { order_id: 9, quantity: 3 }), facts).then(reserved(9, 3))
    const paid = given(stocks, tracked(3), committed(9, 2))
    paid.when(ask('commit', { order_id: 9, quantity: 2 }), facts).thenNothing()
    paid.when(ask('reserve', { order_id: 9, quantity: 1 }), facts).thenNothing()
    paid.when(ask('release', { order_id: 8 }), facts).thenNothing()
  })

  it('of an order that is paid too late goes to a faster one', () => {
    const late = reserved(9, 2, AT)
    given(stocks, tracked(2), late)
      .when(ask('commit', { order_id: 9, quantity: 2 }), facts)
      .then(committed(9, 2))
    given(stocks, tracked(2), late, committed(8, 1))
      .when(ask('commit', { order_id: 9, quantity: 2 }), facts)
      .refuses('invalid', 'Quantity is more than what is in stock (1)')
    given(stocks, tracked(2), late, committed(8, 1))
      .when(ask('lapse'), facts)
      .then({ type: 'StockReservationsLapsed', data: { order_ids: [9] } })
  })

  it('is counted by location, and never below what is reserved', () => {
    const there = given(stocks, tracked(2, 1), committed(9, 2))
    const count = (...levels: object[]) => there.when(ask('change', { levels }), facts)
    count({ location_id: 1, quantity: 2 }).thenNothing()
    count({ location_id: 1, quantity: 1 }, { location_id: 2, quantity: 1 }).then({
      type: 'StockCounted',
      data: { levels: [{ location_id: 1, quantity: 1 }] },
    })
    count({ location_id: 1, quantity: 0 }).refuses('invalid', /leave less than the 2/)
    count({ location_id: 3, quantity: 0 }).refuses('invalid', /not found in this workspace: 3/)
    count({ location_id: 1, quantity: 0 }, { location_id: 1, quantity: 9 }).refuses('invalid', /twice/)
    there.when(ask('remove'), facts).refuses('invalid', 'Stock that is kept back for orders cannot be removed')
  })

  it('that a fulfilment sends is there, and of nobody else', () => {
    const there = given(stocks, tracked(3, 5), committed(9, 6))
    const assure = (quantity: number, orders: object[] = []) =>
      there.when(ask('assure', sent(4, quantity, orders)), facts)
    assure(2).thenNothing()
    assure(3).refuses('invalid', 'Stock of variant 5 at the location is 2, not 3')
    assure(3, [{ order_id: 9, quantity: 3 }]).thenNothing()
    assure(4, [{ order_id: 9, quantity: 4 }]).refuses('invalid', 'Stock of variant 5 at the location is 3, not 4')
  })

  it('gives a fulfilment no more than there is, and gets no more back', () => {
    const took = { type: 'StockTaken', data: { fulfillment_id: 4, location_id: 1, quantity: 3, short: 2, orders: [] } }
    given(stocks, tracked(3))
      .when(ask('take', sent(4, 5)), facts)
      .then(took)
    given(stocks, tracked(3), took)
      .when(ask('giveBack', sent(4, 5)), facts)
      .then({ type: 'StockReturned', data: { fulfillment_id: 4, location_id: 1, quantity: 3, owed: [] } })
  })

  it('holds what comes back for those to whom it is still owed, as far as it was there', () => {
    const orders = [
      { order_id: 8, quantity: 2 },
      { order_id: 9, quantity: 3 },
    ]
    const took = { type: 'StockTaken', data: { fulfillment_id: 4, location_id: 1, quantity: 4, short: 1, orders } }
    const returned = {
      type: 'StockReturned',
      data: {
        ...{ fulfillment_id: 4, location_id: 1, quantity: 4 },
        owed: [
          { order_id: 8, quantity: 2 },
          { order_id: 9, quantity: 2 },
        ],
      },
    }
    given(stocks, tracked(4), took)
      .when(ask('giveBack', { ...sent(4, 5), owed: orders }), facts)
      .then(returned)
    given(stocks, tracked(4), took, returned)
      .when(ask('reserve', { order_id: 7, quantity: 1 }), facts)
      .refuses('invalid', 'Quantity is more than what is in stock (0)')
  })
})

/** A minimal model of the expected stock. */
class Model {
  readonly levels = new Map<number, number>([
    [1, 4],
    [2, 4],
  ])
  readonly held = new Map<number, { quantity: number; until: number }>()
  readonly sent = new Map<number, { location: number; quantity: number; got: number }>()

  free(now: number, order?: number): number {
    let free = [...this.levels.values()].reduce((sum, one) => sum + one, 0)
    for (const [id, { quantity, until }] of this.held) if (id !== order && until > now) free -= quantity
    return free
  }
}

const MINUTE = 60_000
const START = Date.parse(AT)
const at = (minutes: number) => new Date(START + minutes * MINUTE).toISOString()

type Step = { readonly act: string; readonly order: number; readonly quantity: number; readonly location: number }

describe('stock after any sequence of commands', () => {
  const step = fc.record<Step>({
    act: fc.constantFrom('reserve', 'commit', 'release', 'restock', 'send', 'cancel', 'count', 'wait', 'lapse'),
    order: fc.integer({ min: 1, max: 4 }),
    quantity: fc.integer({ min: 1, max: 6 }),
    location: fc.constantFrom(...LOCATIONS),
  })

  it('equals a simple model, and is never negative', () => {
    fc.assert(
      fc.property(fc.array(step, { maxLength: 40 }), (steps) => {
        const model = new Model()
        let state: StreamState = stateAfter(stocks, [tracked(4, 4)])
        let [minutes, revision, fulfillments] = [0, 0, 0]
        const tell = (type: string, wanted: object): boolean => {
          const decision = stocks.decide(state, { ...ask(type, wanted), at: at(minutes) }, facts)
          if (decision instanceof Refusal) return false
          const placed = (decision as readonly DomainEvent[]).map((event) => ({
            ...event,
            stream: streamOf(stocks, ROOT),
            revision: ++revision,
            metadata: { at: at(minutes), actor: 'x', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE },
          }))
          state = stocks.fold(state, placed)
          return true
        }
        for (const { act, order, quantity, location } of steps) {
          const hold = model.held.get(order)
          const live = hold && hold.until > minutes ? hold : undefined
          if (act === 'wait') minutes += quantity * 5
          else if (act === 'lapse') tell('lapse', {})
          else if (act === 'reserve' || act === 'commit') {
            const until = act === 'commit' ? Number.POSITIVE_INFINITY : minutes + 30
            const isNew = !(act === 'reserve' && live && (live.until > 1e9 || live.quantity === quantity))
            const ok = !isNew || quantity <= model.free(minutes, order)
            expect(tell(act, { order_id: order, quantity })).to.equal(ok)
            if (ok && isNew) model.held.set(order, { quantity, until })
          } else if (act === 'release') {
            tell('release', { order_id: order, quantity })
            if (hold && hold.quantity > quantity) hold.quantity -= quantity
            else model.held.delete(order)
          } else if (act === 'restock') {
            tell('restock', { location_id: location, quantity })
            model.levels.set(location, model.levels.get(location)! + quantity)
          } else if (act === 'count') {
            const before = model.levels.get(location)!
            model.levels.set(location, quantity)
            const ok = model.free(minutes) >= 0 || before === quantity
            if (!ok) model.levels.set(location, before)
            expect(tell('change', { levels: [{ location_id: location, quantity }] })).to.equal(ok)
          } else if (act === 'send') {
            const orders = [{ order_id: order, quantity }]
            const own = Math.min(quantity, live?.quantity ?? 0)
            const can = Math.max(0, Math.min(model.levels.get(location)!, model.free(minutes) + own))
            const id = ++fulfillments
            const wanted = { fulfillment_id: id, location_id: location, quantity, orders }
            expect(tell('assure', wanted)).to.equal(quantity <= can)
            tell('take', wanted)
            const got = Math.min(quantity, can)
            model.levels.set(location, model.levels.get(location)! - got)
            model.sent.set(id, { location, quantity, got })
            if (hold && hold.quantity > quantity) hold.quantity -= quantity
            else model.held.delete(order)
          } else {
            const [id, one] = [...model.sent][0] ?? []
            if (id === undefined || !one) continue
            tell('giveBack', { fulfillment_id: id, location_id: one.location, quantity: one.quantity })
            model.levels.set(one.location, model.levels.get(one.location)! + one.got)
            model.sent.delete(id)
          }
          const now = new RecordsOfStream(state).root(stock)!
          const levels = Object.fromEntries(now.levels.map((level) => [level.location_id, level.quantity]))
          expect(levels).to.deep.equal(Object.fromEntries(model.levels))
          const live_ = now.holds.filter(({ expires_at }) => expires_at === null || expires_at > at(minutes))
          expect(available({ levels: now.levels, holds: live_ })).to.equal(model.free(minutes))
          expect(model.free(minutes)).to.be.at.least(0)
          expect(onHand(now)).to.be.at.least(0)
          expect(Math.min(...model.levels.values())).to.be.at.least(0)
        }
      }),
      { numRuns: 500 },
    )
  })
})
