import { randomUUID } from 'node:crypto'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import { createEngine, type Engine } from '../../../domain/kernel/engine/engine.ts'
import type { Model, RecordOf } from '../../../domain/kernel/model/model.ts'
import { type Adapter, type Adapters, adapterAt } from '../../../domain/kernel/ports/calls.ts'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { idMinter } from '../../../domain/kernel/values/ids.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import type { Process } from '../../../domain/resources/process/index.ts'
import { processReactions } from '../../../workers/calls/reactions.ts'
import type { Reaction } from '../../../workers/reactor/reaction.ts'
import { OpenVault } from '../../support/projection.ts'
import type { Gateway } from './gateway.ts'
import { charges, parcels, purchase, purchases, refunds, stock, stocks } from './purchase.ts'

const WORKSPACE = 7

/** A shop over a log. Like a service that has just started, it has no state beyond the log. */
export const openShop = (log: EventLog, now: () => number = Date.now) => {
  const none = { get: () => undefined, getMany: () => [], find: () => [] }
  const engine: Engine = createEngine({
    log,
    vault: new OpenVault(),
    read: none,
    upcast: (event) => event,
    newEventId: randomUUID,
  })
  const mint = idMinter(() => 0, Date.now)
  const ids = { next: mint, refill: async () => undefined }

  const look = async <M extends Model>(model: M, aggregate: Decider, id: number): Promise<RecordOf<M> | undefined> =>
    (await engine.records(aggregate, id, Number.POSITIVE_INFINITY)).root(model)

  /** @throws {Refusal} */
  const ask = async (
    aggregate: Decider,
    id: number,
    type: string,
    wanted: JsonObject = {},
    { at = now(), workspaceId = WORKSPACE } = {},
  ) => {
    const result = await engine.transact({
      aggregate,
      id,
      command: { type, id, wanted, workspaceId, at: new Date(at).toISOString(), actor: { label: 'test' } },
      workspaceId,
      isNew: type === 'create',
      causationId: randomUUID(),
      correlationId: 'c',
    })
    if (result instanceof Refusal) throw result
  }

  return {
    engine,
    ask,
    reactions: (
      adapters: Adapters,
      processes: readonly Process[] = [purchases],
      through = engine,
    ): readonly Reaction[] => processReactions({ adapters, engine: through, log, ids, now }, processes),
    /** Starts a purchase of an item with this stock. @returns the id of the purchase */
    async buy({ left = 1, ...when }: { left?: number; at?: number; workspaceId?: number } = {}): Promise<number> {
      const [id, item_id] = [mint(), mint()]
      await ask(stocks, item_id, 'create', { left }, when)
      await ask(purchases.decider, id, 'create', { item_id, amount_cents: 1200, customer: 'Ann' }, when)
      return id
    },
    /** State of a purchase, with the stock of its item. */
    async stands(id: number) {
      const record = await look(purchase, purchases.decider, id)
      if (!record) throw new Error(`there is no purchase ${id}`)
      return { ...record, left: (await look(stock, stocks, record.item_id))?.left }
    },
    tell: (id: number, act: string, wanted: JsonObject = {}) => ask(purchases.decider, id, act, wanted),
    async story(id: number): Promise<readonly RecordedEvent[]> {
      const events: RecordedEvent[] = []
      for await (const event of log.readStream(`${purchase.name}-${id}`)) events.push(event)
      return events
    },
  }
}

export type Shop = ReturnType<typeof openShop>

/** Adapters of the gateway and of a packer of parcels. */
export const adaptersOf = (
  { charge, refund }: Pick<Gateway, 'charge' | 'refund'>,
  packer: Adapter<{ readonly item_id: number }, { readonly parcel: string }>,
): Adapters => new Map([adapterAt(charges, charge), adapterAt(refunds, refund), adapterAt(parcels, packer)])

/** Adapter that packs every parcel, after it has given the results `says`. */
export const packing = (...says: Awaited<ReturnType<Adapter<unknown, { readonly parcel: string }>['send']>>[]) => ({
  send: async (_: unknown, key: string) => says.shift() ?? ({ came: 'answered', answer: { parcel: key } } as const),
})
