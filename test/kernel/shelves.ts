import { randomUUID } from 'node:crypto'
import { type Decider, decider } from '../../domain/kernel/decide/decider.ts'
import { upcasterOf } from '../../domain/kernel/decide/upcast.ts'
import { createEngine } from '../../domain/kernel/engine/engine.ts'
import type { StreamBounds } from '../../domain/kernel/engine/stream-bounds.ts'
import { longText, text } from '../../domain/kernel/model/fields.ts'
import { model } from '../../domain/kernel/model/model.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import { openSqliteStore } from '../../infra/log-db/store.ts'
import { temporaryDirectory } from '../infra/temporary-directory.ts'
import { MemoryReadModels } from '../support/memory/read-models.ts'

export const book = model('test/book', {
  stream: 'test/shelf',
  owner: 'shelf_id',
  attributes: { title: text({ required: true }), content: longText({ nullable: true }) },
  events: { BookPlaced: { creates: true }, BookRevised: { changes: 'rest' }, BookTaken: { ends: true } },
})

export const card = model('test/card', {
  stream: 'test/shelf',
  owner: 'shelf_id',
  attributes: { title: text({ required: true }) },
  events: { CardPlaced: { creates: true }, CardTaken: { ends: true } },
})

/** A shelf with two kinds of children. */
export const shelf = model('test/shelf', {
  attributes: { label: text({ nullable: true }) },
  events: { ShelfBuilt: { creates: true }, ShelfLabelled: { changes: 'rest' }, ShelfRemoved: { ends: true } },
  children: { books: { model: book, key: 'book_id', keys: 'book_ids' }, cards: { model: card, key: 'card_id' } },
})

export const shelves: Decider = decider(shelf)

export const CLIENT = 'key:1'
export const WORKER = 'worker:calls'
export const AT = '2026-03-01T09:00:00.000Z'

interface Options {
  readonly bounds?: StreamBounds
  readonly cacheBytes?: number
  /** Wraps the log for the engine. */
  readonly asSeen?: (log: EventLog) => EventLog
}

/** An engine for shelves, over a log of its own. */
export const library = async ({ asSeen = (log) => log, ...options }: Options = {}) => {
  const { path, remove } = temporaryDirectory()
  const { log, vault } = await openSqliteStore(path, Buffer.alloc(32, 1))
  const engine = createEngine({
    log: asSeen(log),
    vault,
    read: new MemoryReadModels(),
    upcast: upcasterOf([shelves]),
    newEventId: randomUUID,
    alone: true,
    ...options,
  })
  /** Returns a transaction on the shelf 1, or on a child of it. */
  const transaction = (type: string, wanted: object = {}, more: object = {}, label = CLIENT, id = 1) => ({
    aggregate: shelves,
    id,
    command: { type, id, wanted: wanted as never, at: AT, actor: { label }, workspaceId: 7, ...more },
    isNew: type === 'create' && !('child' in more),
    workspaceId: 7,
    causationId: randomUUID(),
    correlationId: 'c',
  })
  return {
    engine,
    log,
    transaction,
    ask: (...asked: Parameters<typeof transaction>) => engine.transact(transaction(...asked)),
    /** Appends events past the engine, as an earlier version without bounds did. */
    async append(events: readonly { readonly type: string; readonly data: object }[], id = 1) {
      const metadata = { at: AT, actor: CLIENT, $correlationId: 'c', $causationId: 'c', workspace_id: 7 }
      const made = events.map(({ type, data }) => ({ id: randomUUID(), type, data: data as never, metadata }))
      await log.append({ stream: `test/shelf-${id}`, expected: 'any', events: made })
    },
    async close() {
      await log.close()
      remove()
    },
  }
}

export type Library = Awaited<ReturnType<typeof library>>
