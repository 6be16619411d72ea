import { randomUUID } from 'node:crypto'
import { type Decider, decider } from '../../domain/kernel/decide/decider.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { createEngine } from '../../domain/kernel/engine/engine.ts'
import { sequence } from '../../domain/kernel/model/field.ts'
import { flag, integer, reference, text } from '../../domain/kernel/model/fields.ts'
import { model } from '../../domain/kernel/model/model.ts'
import { openDocument } from '../../domain/kernel/model/personal.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document } from '../../domain/kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { workspace } from '../../domain/resources/operations.ts'
import { aggregatesOf } from '../../domain/resources/resource.ts'
import { serve } from '../../domain/resources/serve.ts'
import { openSqliteStore } from '../../infra/log-db/store.ts'
import { createHistory } from '../../projections/history.ts'
import { createProjection } from '../../projections/projection.ts'
import { temporaryDirectory } from '../infra/temporary-directory.ts'
import { MemoryReadModels } from '../support/memory/read-models.ts'
import { ids as publicIds } from '../support/projection.ts'

/** An order with personal remarks about a person who has a separate stream. Its first version had other names. */
export const order = model('test/order', {
  attributes: {
    contact_id: reference('contact', { required: true }),
    remark: text({ nullable: true, personal: true }),
    greeting: text({ nullable: true, personal: true }),
    title: text({ required: true }),
    /** Added after the first orders were recorded. */
    urgent: flag({ default: false }),
    order_number: sequence(integer({ required: true })),
  },
  events: {
    OrderPlaced: {
      creates: true,
      versions: [
        ({ personal, name, ...rest }) => {
          const person = personal as JsonObject | null
          return { ...rest, title: name, personal: person && { remark: person.note ?? null, greeting: null } }
        },
      ],
    },
    OrderRemarked: { sets: ['personal'] },
    OrderChanged: { changes: 'rest' },
    OrderCancelled: { ends: true },
  },
  person: 'contact_id',
  unique: [{ attributes: ['title'], says: 'Title has already been taken' }],
})

export const orders = decider(order, {
  formerly: { Rename: ({ name }) => ({ type: 'change', wanted: { title: name } }) },
})

export const orderResource = serve(order, orders, {
  title: 'Test::Order',
  root: 'test_order',
  category: 'store',
  under: workspace,
  person: 'contact_id',
  operations: {},
})

export const WORKSPACE = 7
const AT = '2026-03-01T09:00:00.000Z'

/**
 * A complete small installation with only that family.
 *
 * @param asSeen wraps the log for the engine
 */
export const installation = async (asSeen = (log: EventLog): EventLog => log) => {
  const { path, remove } = temporaryDirectory()
  const { log, vault } = await openSqliteStore(path, Buffer.alloc(32, 1))
  const models = new MemoryReadModels()
  const resources = [orderResource]
  const upcast = upcasterOf(aggregatesOf(resources))
  const project = createProjection({ resources, vault, upcast, publicIds })
  const engine = createEngine({
    log: asSeen(log),
    vault,
    read: models,
    upcast,
    newEventId: randomUUID,
  })
  const metadata = { at: AT, actor: 'test', $correlationId: 'c', $causationId: 'c', workspace_id: WORKSPACE }
  let projected = -1
  const events = async (): Promise<RecordedEvent[]> => {
    const found: RecordedEvent[] = []
    for await (const event of log.readAll({ after: -1 })) found.push(event)
    return found
  }
  const readable = async (): Promise<void> => {
    const behind = (await events()).filter(({ position }) => position > projected)
    if (behind.length > 0) await project(behind, models)
    projected = behind.at(-1)?.position ?? projected
  }
  return {
    log,
    vault,
    engine,
    events,
    history: createHistory({ log, live: models, vault, upcast, publicIds }),
    /** Sends a command to an order, or to another aggregate. @throws {Refusal} */
    async ask(type: string, id: number, wanted: JsonObject, aggregate: Decider = orders) {
      const command = { type, id, wanted, workspaceId: WORKSPACE, at: AT, actor: { label: 'test' } }
      const isNew = type === 'create'
      const causes = { causationId: randomUUID(), correlationId: 'c' }
      const result = await engine.transact({ aggregate, id, command, isNew, workspaceId: WORKSPACE, ...causes })
      if (result instanceof Refusal) throw result
      return result
    },
    /** Appends an event as a former version did. */
    async wrote(stream: string, type: string, data: JsonObject, person: number) {
      const sealed = await vault.seal(person, data.personal as JsonObject)
      const event = {
        id: randomUUID(),
        type,
        data: { ...data, personal: sealed },
        metadata: { ...metadata, of: person },
      }
      await log.append({ stream, expected: 'any', events: [event] })
    },
    async document(id: number): Promise<Document | undefined> {
      await readable()
      const document = models.get(order.name, id)
      return document && openDocument(vault, document)
    },
    async stored(id: number): Promise<Document | undefined> {
      await readable()
      return models.get(order.name, id)
    },
    async close() {
      await log.close()
      remove()
    },
  }
}
