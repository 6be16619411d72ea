import { statSync } from 'node:fs'
import type { Change, CollectionSpec, Fingerprints, ReadModels } from '../../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../../sqlite/binding.ts'
import { asUnavailable, troubleOf } from '../../../sqlite/failures.ts'
import { numberIn } from '../../../sqlite/open.ts'
import { Thread } from '../../../sqlite/thread.ts'
import { type ChangesByDocument, newestChanges } from '../../newest-changes.ts'
import { builtFrom, fingerprintsIn, type Meta, openViews, readMeta } from '../layout.ts'
import { Reader } from '../reader.ts'
import { packed } from '../rebuild/packed-row.ts'
import { type CollectionRows, rowOf } from '../row.ts'
import { Memory } from '../writing/memory.ts'
import type { Unit } from '../writing/pending.ts'
import { WriteBehind } from '../writing/write-behind.ts'
import type { Task, WriterData } from '../writing/writer.ts'
import { declare, type Tables } from './catalog.ts'
import { orphansIn } from './dropping.ts'
import type { OnDamage } from './open-views.ts'

const module = new URL('../writing/writer-thread.js', import.meta.url)

interface Options {
  readonly file: string
  readonly collections: readonly CollectionSpec[]
  readonly use: WriterData['use']
  readonly onDamage: OnDamage
  /** Called with changes when they can be read. */
  readonly onApplied?: (changes: readonly Change[]) => void
  /** Checks the metadata. @throws {Error} with the reason when the file is of no use */
  readonly check?: (meta: Meta) => void
}

/** Changes on their way into the file. */
export interface Apply {
  readonly changes: ChangesByDocument
  /** Resolves when they can be read. */
  readonly landed: Promise<void>
}

/**
 * Checks that the last page of the file is whole. SQLite would find out when it reads that page, and notices by itself if more is missing.
 *
 * @throws {Error} when it is not, and no write-ahead log is left that could complete it
 */
const checkEnd = (db: Database, file: string): void => {
  const rest = statSync(`${file}-wal`, { throwIfNoEntry: false })?.size ?? 0
  if (rest === 0 && statSync(file).size % numberIn(db, 'page_size') > 0) throw new Error('it was cut short')
}

/** Opens the file, or creates an empty one. @throws {Error} when it cannot be used */
export const openGeneration = (options: Options): Generation => {
  const { file, collections, use, check } = options
  const db = openViews(file, 'reading')
  try {
    checkEnd(db, file)
    check?.(readMeta(db))
    return new Generation(db, declare(db, collections, use === 'writing'), options)
  } catch (error) {
    db.close()
    throw error
  }
}

/** One file of read models. It is read here, synchronously. A thread writes it, after the changes can already be read. */
export class Generation extends Reader implements ReadModels {
  readonly #db: Database
  readonly #data: WriterData
  readonly #behind: WriteBehind
  readonly #memory: Memory
  readonly #onApplied: (changes: readonly Change[]) => void
  #fingerprints: Fingerprints
  #checkpoint: number
  /** Newest position of any change so far. */
  #ahead = -1
  #thread: Thread<Task, number> | undefined

  constructor(db: Database, tables: Tables, { file, use, onDamage, onApplied = () => undefined }: Options) {
    const behind = new WriteBehind(({ rows, checkpoint }) => this.#write(rows, checkpoint))
    const memory = new Memory(behind.pending)
    // A generation in the making is read all the time: a transaction over each turn would block its thread.
    super(db, file, tables, onDamage, use === 'writing' ? memory : undefined)
    this.#behind = behind
    this.#memory = memory
    this.#onApplied = onApplied
    const meta = readMeta(db)
    this.#fingerprints = fingerprintsIn(meta)
    this.#db = db
    this.#data = { file, use }
    this.#checkpoint = meta.checkpoint ?? -1
    db.exec('PRAGMA query_only = ON')
    // Once it runs, the thread drops tables that the catalog no longer names.
    if (orphansIn(db).length > 0) this.index([]).catch(() => undefined)
  }

  checkpoint(): number {
    return this.#checkpoint
  }

  /** Resolves when the changes can be read. They reach the file a little later. @throws {Error} for a change that cannot be stored: then none is */
  async apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const unit = this.#unitOf(changes, checkpoint)
    if (!unit) return
    await this.#behind.add(unit)
    this.#memory.note(unit)
    this.#onApplied(changes)
    this.#checkpoint = Math.max(this.#checkpoint, checkpoint)
  }

  /** Starts writing changes. They reach the file in the order of the calls. @throws {Error} for a change that cannot be stored: then none is */
  begin(changes: readonly Change[], checkpoint: number): Apply {
    const unit = this.#unitOf(changes, checkpoint)
    if (!unit) return { changes: new Map(), landed: Promise.resolve() }
    return { changes: unit.changes, landed: this.#write(unit.rows, checkpoint) }
  }

  /** Creates the missing indexes of these collections. */
  index(collections: readonly string[]): Promise<void> {
    return this.#ask({ do: 'index', collections })
  }

  /** Resolves when everything applied is in the file. */
  landed(): Promise<void> {
    return this.#behind.drain()
  }

  /** Moves everything from the write-ahead log into the file, and forces it to disk. */
  async flush(): Promise<void> {
    await this.landed()
    await this.#ask({ do: 'flush', meta: {} })
  }

  /** Fingerprints that it was built from. */
  get fingerprints(): Fingerprints {
    return this.#fingerprints
  }

  async note(fingerprints: Fingerprints): Promise<void> {
    await this.#ask({ do: 'flush', meta: builtFrom(fingerprints) })
    this.#fingerprints = fingerprints
  }

  /** Forces what was built to disk, in one file without a log, and closes this object. */
  async complete(meta: Meta): Promise<void> {
    await this.#ask({ do: 'flush', meta })
    await this.#thread?.close()
    this.endTurn()
    this.#db.exec('PRAGMA query_only = OFF')
    // This connection may stay open until it is garbage-collected. Outside of WAL mode it shares no memory with the connections that follow.
    const mode = this.#db.prepare('PRAGMA journal_mode = DELETE').get() as { readonly journal_mode: string }
    if (mode.journal_mode !== 'delete') throw new Error(`${this.#data.file} is held open by another program`)
    this.closeReading()
  }

  /** Waits for the applies under way, forces everything to disk, and closes. */
  async close(): Promise<void> {
    if (this.#thread || this.#ahead >= 0) await this.flush().catch(() => undefined)
    await this.abandon()
  }

  /** Closes without writing pending changes: the file is going to be removed. */
  async abandon(): Promise<void> {
    this.#behind.stop()
    await this.#thread?.close()
    this.closeReading()
  }

  #unitOf(changes: readonly Change[], checkpoint: number): Unit | undefined {
    const newest = newestChanges(changes, this.#checkpoint)
    if (this.#ahead > this.#checkpoint) this.#removeOlder(newest)
    for (const { position } of changes) this.#ahead = Math.max(this.#ahead, position)
    if (newest.size === 0 && checkpoint <= this.#checkpoint) return undefined
    const rows = [...newest].map(([collection, byId]) => {
      const table = this.table(collection)
      return { collection, rows: [...byId.values()].map((change) => rowOf(table, change)) }
    })
    return { changes: newest, rows, checkpoint }
  }

  /** Removes changes that are older than the stored documents. A store that was ahead of its checkpoint receives such changes again. */
  #removeOlder(changes: ChangesByDocument): void {
    for (const [collection, byId] of changes)
      for (const { id, position } of byId.values())
        if (this.positionOf(this.table(collection), id) > position) byId.delete(id)
  }

  #write(collections: readonly CollectionRows[], checkpoint: number): Promise<void> {
    const changes = collections.map(({ collection, rows }) => ({ collection, rows: rows.map(packed) }))
    return this.#ask({ do: 'apply', changes, checkpoint })
  }

  async #ask(task: Task): Promise<void> {
    try {
      this.#thread ??= new Thread<Task, number>(module, this.#data)
      const reached = await this.#thread.ask(task)
      this.#checkpoint = Math.max(this.#checkpoint, reached)
      this.endTurn()
    } catch (error) {
      if (troubleOf(error) === 'damaged') throw this.damaged(error)
      throw asUnavailable(`The read models ${this.#data.file} could not be written`, error)
    }
  }
}
