import type { Collection, Db } from 'mongodb'
import type {
  Change,
  CollectionSpec,
  Document,
  Index,
  LastChanges,
  Query,
  ReadModels,
  Where,
} from '../../../domain/kernel/ports/read-models.ts'
import { callBatcher } from '../../call-batcher.ts'
import { newestChanges } from '../newest-changes.ts'
import { type Stored, withIds } from './filter.ts'
import { count, find } from './find.ts'
import { collectionIn, readCheckpoint, readLastChanges, writeCheckpoint } from './pointer.ts'
import { fromStored, storedPath } from './stored-form.ts'
import { insertMissing, writeChanges } from './write.ts'

/** Highest number of ids in one query. */
const IDS = 1000
const WRITE_ORDER: readonly CollectionSpec['written'][] = ['first', undefined, 'last']
/** Documents copied in one batch. */
const COPIED = 1000

/** Generation of read models: collections whose names begin with its number. */
export class Generation implements ReadModels {
  readonly number: number
  readonly #db: Db
  readonly #specs: ReadonlyMap<string, CollectionSpec>
  /** Batched look-ups of single documents, by collection. */
  readonly #single = new Map<string, (id: number | string) => Promise<Document | undefined>>()
  /** Creation of the indexes, by collection. */
  readonly #indexed = new Map<string, Promise<unknown>>()
  /** Last known checkpoint. Never ahead of the stored one. */
  #checkpoint = -1
  /** Checkpoint that was written last through this object. */
  #written: number | undefined

  constructor(db: Db, number: number, specs: ReadonlyMap<string, CollectionSpec>) {
    this.#db = db
    this.number = number
    this.#specs = specs
  }

  get(collection: string, id: number | string): Promise<Document | undefined> {
    const single = this.#single.get(collection) ?? callBatcher((ids) => this.getMany(collection, ids), IDS)
    this.#single.set(collection, single)
    return single(id)
  }

  async getMany(collection: string, ids: readonly (number | string)[]): Promise<(Document | undefined)[]> {
    const stored = this.#stored(collection)
    const wanted = [...new Set(ids)]
    if (wanted.length === 1) {
      const document = fromStored((await stored.findOne({ _id: wanted[0]! })) ?? undefined)
      return ids.map(() => document)
    }
    const found = new Map<number | string, Document | undefined>()
    for (let from = 0; from < wanted.length; from += IDS) {
      // The batch size brings all documents in one answer.
      const some = await stored.find(withIds(wanted.slice(from, from + IDS)), { batchSize: IDS + 1 }).toArray()
      for (const document of some) found.set(document._id, fromStored(document))
    }
    return ids.map((id) => found.get(id))
  }

  async find(collection: string, query: Query): Promise<Document[]> {
    return find(this.#stored(collection), this.#spec(collection), query)
  }

  async count(collection: string, where: Where, atMost?: number): Promise<number> {
    return count(this.#stored(collection), this.#spec(collection), where, atMost)
  }

  async checkpoint(): Promise<number> {
    this.#checkpoint = Math.max(this.#checkpoint, await readCheckpoint(this.#db, this.number))
    return this.#checkpoint
  }

  /** Returns when collections last changed; `undefined` where that was not noted. */
  lastChanges(): Promise<LastChanges | undefined> {
    return readLastChanges(this.#db, this.number)
  }

  /**
   * Writes the collections in the order of their `written`, then the checkpoint. Changes that a crash left without a checkpoint are applied
   * again without harm. Safe to repeat, and to be run by several processes at once.
   */
  async apply(changes: readonly Change[], checkpoint: number, touched: readonly string[] = []): Promise<void> {
    if (this.#checkpoint < 0) await this.checkpoint()
    const newest = [...newestChanges(changes, this.#checkpoint)]
    for (const turn of WRITE_ORDER) await this.#writeAll(newest.filter(([name]) => this.#spec(name).written === turn))
    if (checkpoint <= this.#checkpoint) return
    const changed = new Set([...touched, ...changes.map(({ collection }) => collection)])
    await writeCheckpoint(this.#db, this.number, { from: this.#written, to: checkpoint, changed })
    this.#written = checkpoint
    this.#checkpoint = Math.max(this.#checkpoint, checkpoint)
  }

  /**
   * Copies a collection of another generation as it is stored. That generation may be written to meanwhile: events behind its checkpoint
   * from before the copy are applied again, without harm. May be repeated.
   */
  async keep(collection: string, from: Generation): Promise<void> {
    const into = this.#stored(collection)
    const cursor = from.#stored(collection).find({}, { batchSize: COPIED })
    for (let batch: Stored[] = []; ; batch = []) {
      while (batch.length < COPIED && (await cursor.hasNext())) batch.push((await cursor.next())!)
      if (batch.length === 0) break
      await insertMissing(into, batch)
    }
    await this.#prepared(collection)
  }

  /** Writes collections in parallel. Waits for all of them even if one fails: no write may be under way when the changes are applied again. */
  async #writeAll(changes: readonly (readonly [string, ReadonlyMap<unknown, Change>])[]): Promise<void> {
    const written = await Promise.allSettled(changes.map(([name, byId]) => this.#write(name, [...byId.values()])))
    for (const result of written) if (result.status === 'rejected') throw result.reason
  }

  async #write(collection: string, changes: readonly Change[]): Promise<void> {
    await this.#prepared(collection)
    await writeChanges(this.#stored(collection), changes)
  }

  /** Creates the indexes once, and waits until they exist. */
  async #prepared(collection: string): Promise<void> {
    const indexed = this.#indexed.get(collection) ?? this.#index(collection)
    this.#indexed.set(collection, indexed)
    try {
      await indexed
    } catch (error) {
      this.#indexed.delete(collection)
      throw error
    }
  }

  /** Creates the indexes one at a time: FerretDB closes the connection when one command names several that exist already. */
  async #index(collection: string): Promise<void> {
    for (const index of this.#spec(collection).indexes) {
      const { name, key } = indexFor(index)
      await this.#stored(collection).createIndex(key, { name })
    }
  }

  #stored(collection: string): Collection<Stored> {
    this.#spec(collection)
    return this.#db.collection<Stored>(collectionIn(this.number, collection))
  }

  #spec(collection: string): CollectionSpec {
    const spec = this.#specs.get(collection)
    if (!spec) throw new Error(`the read models have no collection ${JSON.stringify(collection)}`)
    return spec
  }
}

const indexFor = ({ fields, sort }: Index): { name: string; key: Record<string, 1> } => {
  const columns = [...fields, ...(sort === undefined ? [] : [sort]), 'id'].map(storedPath)
  return { name: columns.join(' '), key: Object.fromEntries(columns.map((column) => [column, 1])) }
}
