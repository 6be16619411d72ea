import type { Collection, Filter, OptionalId, Sort, WithoutId } from 'mongodb'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type {
  DeadLetter,
  DeadLetterQuery,
  LaggingGroup,
  PendingTask,
  ReactorStore,
  RefusedCommand,
  StoreChange,
} from '../../domain/kernel/ports/reactor-store.ts'
import type { Json } from '../../domain/kernel/values/event.ts'
import { PAGE, REACTOR, REFUSALS_KEPT } from '../reactor-store-limits.ts'
import { mongoCheckpoints } from './checkpoints.ts'
import type { MongoConnection } from './connection.ts'
import {
  type BehindRow,
  type Changes,
  type CursorRow,
  changesOf,
  type DeadRow,
  keyOf,
  keysIn,
  type PendingTaskRow,
  type ReactionRow,
  type RefusedRow,
  refusalKeysOf,
} from './reactor-rows.ts'
import { retryUpsert } from './upserting.ts'

/** Number of new refusals of a workspace after which surplus ones are removed. */
const TRIMMED_EVERY = 100
const BY_KEY: Sort = { _id: 1 }
const WITHOUT_KEY = { projection: { _id: 0 } }

/** Reactor store as documents of six collections, `books_…`. Waits for a server that cannot be reached. */
export class MongoReactorStore implements ReactorStore {
  readonly #connection: MongoConnection
  readonly #checkpoints: Checkpoints
  readonly #owed: Collection<PendingTaskRow>
  readonly #dead: Collection<DeadRow>
  readonly #refused: Collection<RefusedRow>
  readonly #cursors: Collection<CursorRow>
  readonly #reactions: Collection<ReactionRow>
  readonly #behind: Collection<BehindRow>
  /** Number of refusals written since this process last trimmed those of the workspace. */
  readonly #untrimmed = new Map<number | null, number>()

  constructor(connection: MongoConnection, database?: string) {
    const db = connection.db(database)
    this.#connection = connection
    this.#checkpoints = mongoCheckpoints(connection, database)
    this.#owed = db.collection('books_owed')
    this.#dead = db.collection('books_dead')
    this.#refused = db.collection('books_refused')
    this.#cursors = db.collection('books_cursors')
    this.#reactions = db.collection('books_reactions')
    this.#behind = db.collection('books_behind')
  }

  async write(entries: readonly StoreChange[], checkpoint?: number): Promise<void> {
    const { owed, dead, refused, cursors, reactions, behind } = changesOf(entries)
    await Promise.all([
      this.#put(this.#owed, owed),
      this.#put(this.#dead, dead),
      this.#put(this.#cursors, cursors),
      this.#put(this.#reactions, reactions),
      this.#put(this.#behind, behind),
      this.#put(this.#refused, refused),
    ])
    if (checkpoint !== undefined) await this.#checkpoints.set(REACTOR, checkpoint)
    await Promise.all([
      this.#remove(this.#owed, owed),
      this.#remove(this.#dead, dead),
      this.#remove(this.#cursors, cursors),
      this.#remove(this.#behind, behind),
      this.#trim(refused),
    ])
  }

  async checkpoint(): Promise<number | undefined> {
    return (await this.#checkpoints.all()).get(REACTOR)
  }

  async reactions(): Promise<ReadonlyMap<string, number>> {
    const rows = await this.#connection.retrying(() => this.#reactions.find().toArray())
    return new Map(rows.map(({ _id, since }) => [_id, since]))
  }

  async behind(): Promise<readonly LaggingGroup[]> {
    const rows = await this.#connection.retrying(() => this.#behind.find().sort(BY_KEY).toArray())
    return rows.map(({ _id: gate, reaction, after }) => ({ gate, reaction, after }))
  }

  async *pending(): AsyncGenerator<PendingTask> {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const page: PendingTask[] = await this.#rows<PendingTaskRow>(this.#owed, { _id: { $gt: last } }, PAGE)
      yield* page
      last = page[PAGE - 1] && keyOf(page[PAGE - 1]!)
    }
  }

  pendingIn(lane: string, limit: number): Promise<readonly PendingTask[]> {
    return this.#rows(this.#owed, { _id: keysIn(lane) }, limit)
  }

  async cursor(name: string): Promise<Json> {
    const row = await this.#connection.retrying(() => this.#cursors.findOne({ _id: name }))
    return row ? JSON.parse(row.value) : null
  }

  async *cursors(): AsyncGenerator<readonly [name: string, value: Json]> {
    for (let last: string | undefined = ''; last !== undefined; ) {
      const behind: Filter<CursorRow> = { _id: { $gt: last } }
      const find = () => this.#cursors.find(behind).sort(BY_KEY).limit(PAGE).toArray()
      const page = await this.#connection.retrying(find)
      for (const { _id, value } of page) yield [_id, JSON.parse(value)]
      last = page[PAGE - 1]?._id
    }
  }

  deadLetters({ workspaceId, after, limit }: DeadLetterQuery): Promise<readonly DeadLetter[]> {
    const filter: Filter<DeadRow> = {
      _id: { $gt: after ? keyOf(after) : '' },
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
    }
    return this.#rows(this.#dead, filter, limit)
  }

  async counts() {
    const [pending, deadLetters] = await Promise.all([this.#countsIn(this.#owed), this.#countsIn(this.#dead)])
    return { pending, deadLetters }
  }

  refusals(workspaceId: number | null, limit: number): Promise<readonly RefusedCommand[]> {
    const filter = { _id: refusalKeysOf(workspaceId) }
    return this.#rows(this.#refused, filter, Math.min(limit, REFUSALS_KEPT), { _id: -1 })
  }

  /** Rows without their keys, in the order of the keys. */
  #rows<Row extends { readonly _id: string }>(
    collection: Collection<Row>,
    filter: Filter<Row>,
    limit: number,
    order = BY_KEY,
  ): Promise<Omit<Row, '_id'>[]> {
    // MongoDB takes 0 for no limit.
    if (limit === 0) return Promise.resolve([])
    const find = () => collection.find(filter, WITHOUT_KEY).sort(order).limit(limit).toArray()
    return this.#connection.retrying(find)
  }

  async #countsIn(collection: Collection<PendingTaskRow> | Collection<DeadRow>): Promise<ReadonlyMap<string, number>> {
    const groups = [{ $group: { _id: '$reaction', count: { $sum: 1 } } }]
    const count = () => collection.aggregate<{ _id: string; count: number }>(groups).toArray()
    return new Map((await this.#connection.retrying(count)).map(({ _id, count }) => [_id, count]))
  }

  async #put<Row extends { readonly _id: string }>(collection: Collection<Row>, changes: Changes<Row>): Promise<void> {
    if (changes.puts.size === 0) return
    await this.#connection.retrying(() => retryUpsert(() => putAll(collection, changes)))
  }

  async #remove<Row extends { readonly _id: string }>(
    collection: Collection<Row>,
    { removals }: Changes<Row>,
  ): Promise<void> {
    if (removals.size === 0) return
    const filter = { _id: { $in: [...removals] } } as unknown as Filter<Row>
    await this.#connection.retrying(() => collection.deleteMany(filter))
  }

  async #trim({ puts }: Changes<RefusedRow>): Promise<void> {
    const due = new Set<number | null>()
    for (const { workspace_id } of puts.values()) {
      const count = (this.#untrimmed.get(workspace_id) ?? TRIMMED_EVERY) + 1
      this.#untrimmed.set(workspace_id, count)
      if (count >= TRIMMED_EVERY) due.add(workspace_id)
    }
    for (const workspace of due) {
      await this.#connection.retrying(() => this.#trimOne(workspace))
      this.#untrimmed.set(workspace, 0)
    }
  }

  async #trimOne(workspaceId: number | null): Promise<void> {
    const keys = refusalKeysOf(workspaceId)
    const [newest] = await this.#refused.find({ _id: keys }).sort({ _id: -1 }).skip(REFUSALS_KEPT).limit(1).toArray()
    if (newest) await this.#refused.deleteMany({ _id: { $gt: keys.$gt, $lte: newest._id } })
  }
}

/**
 * Inserts rows, or replaces those with the same keys. New rows are not upserted: for each upsert some servers look at every row.
 * @throws {MongoBulkWriteError} for a duplicate, when another process was quicker to insert: to be repeated
 */
const putAll = async <Row extends { readonly _id: string }>(
  collection: Collection<Row>,
  { puts, kept }: Changes<Row>,
): Promise<void> => {
  const rows = [...puts.values()]
  const filter = { _id: { $in: rows.map(({ _id }) => _id) } } as unknown as Filter<Row>
  const found = await collection.find(filter, { projection: { _id: 1 } }).toArray()
  const existing = new Set(found.map(({ _id }) => _id as string))
  const operations = rows
    .filter(({ _id }) => !(existing.has(_id) && kept.has(_id)))
    .map((row) =>
      existing.has(row._id)
        ? { replaceOne: { filter: { _id: row._id } as Filter<Row>, replacement: row as WithoutId<Row>, upsert: true } }
        : { insertOne: { document: row as OptionalId<Row> } },
    )
  if (operations.length > 0) await collection.bulkWrite(operations, { ordered: false })
}
