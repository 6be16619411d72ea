import type { Change, CollectionSpec, Fingerprints, ReadModels } from '../../../../domain/kernel/ports/read-models.ts'
import type { Database } from '../../../sqlite/binding.ts'
import { asUnavailable, troubleOf } from '../../../sqlite/failures.ts'
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
  /** Told of changes when they can be read. */
  readonly onApplied?: (changes: readonly Change[]) => void
  /** @throws {Error} saying why the file is of no use */
  readonly check?: (meta: Meta) => void
}

/** Changes on their way into the file. */
export interface Apply {
  readonly changes: ChangesByDocument
  /** Resolves when they can be read. */
  readonly landed: Promise<void>
}

/** Opens the file, or makes an empty one. @throws {Error} when it cannot be used */
export const openGeneration = (options: Options): Generation => {
  const { file, collections, use, check } = options
  const db = openViews(file, 'reading')
  try {
    check?.(readMeta(db))
    return new Generation(db, declare(db, collections, use === 'writing'), options)
  } catch (error) {
    db.close()
    throw error
  }
}

/** One file of read models. It is read here, at once, and written by a thread, after what was applied can be read. */
export class Generation extends Reader implements ReadModels {
  readonly #db: Database
  readonly #data: WriterData
  readonly #behind: WriteBehind
  readonly #memory: Memory
  readonly #onApplied: (changes: readonly Change[]) => void
  #fingerprints: Fingerprints
  #checkpoint: number
  /** The newest position of any change. */
  #ahead = -1
  #thread: Thread<Task, number> | undefined

  constructor(db: Database, tables: Tables, { file, use, onDamage, onApplied = () => undefined }: Options) {
    const behind = new WriteBehind(({ rows, checkpoint }) => this.#write(rows, checkpoint))
    const memory = new Memory(behind.pending)
    // A transaction over a turn would stand in the way of the thread that builds, which is read from all the time.
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
    // The thread drops what nobody asks for any more once it runs.
    if (orphansIn(db).length > 0) this.index([]).catch(() => undefined)
  }

  checkpoint(): number {
    return this.#checkpoint
  }

  /** Resolves when the changes can be read; they come into the file a little later. @throws {Error} for what cannot be stored, and nothing is */
  async apply(changes: readonly Change[], checkpoint: number): Promise<void> {
    const unit = this.#unitOf(changes, checkpoint)
    if (!unit) return
    await this.#behind.add(unit)
    this.#memory.note(unit.changes)
    this.#onApplied(changes)
    this.#checkpoint = Math.max(this.#checkpoint, checkpoint)
  }

  /** Sends changes on their way; they land in the order of the calls. @throws {Error} for what cannot be stored, and nothing is */
  begin(changes: readonly Change[], checkpoint: number): Apply {
    const unit = this.#unitOf(changes, checkpoint)
    if (!unit) return { changes: new Map(), landed: Promise.resolve() }
    return { changes: unit.changes, landed: this.#write(unit.rows, checkpoint) }
  }

  /** Makes the indexes of these collections where they are missing. */
  index(collections: readonly string[]): Promise<void> {
    return this.#ask({ do: 'index', collections })
  }

  /** Resolves when all that was applied is in the file. */
  landed(): Promise<void> {
    return this.#behind.drain()
  }

  /** Brings everything into the file itself, and to disk. */
  async flush(): Promise<void> {
    await this.landed()
    await this.#ask({ do: 'flush', meta: {} })
  }

  /** What it was built from. */
  get fingerprints(): Fingerprints {
    return this.#fingerprints
  }

  async note(fingerprints: Fingerprints): Promise<void> {
    await this.#ask({ do: 'flush', meta: builtFrom(fingerprints) })
    this.#fingerprints = fingerprints
  }

  /** Brings to disk what was built, in one file without a log; this object is closed then. */
  async complete(meta: Meta): Promise<void> {
    await this.#ask({ do: 'flush', meta })
    await this.#thread?.close()
    this.endTurn()
    this.#db.exec('PRAGMA query_only = OFF')
    // What reads it here stays open until it is collected. Out of this mode it has no part any more in what the next ones share.
    const mode = this.#db.prepare('PRAGMA journal_mode = DELETE').get() as { readonly journal_mode: string }
    if (mode.journal_mode !== 'delete') throw new Error(`${this.#data.file} is held open by another program`)
    this.closeReading()
  }

  /** Waits for the applies under way, and brings all to disk. */
  async close(): Promise<void> {
    if (this.#thread || this.#ahead >= 0) await this.flush().catch(() => undefined)
    await this.abandon()
  }

  /** Closes what is going to be removed. */
  async abandon(): Promise<void> {
    this.#behind.stop()
    await this.#thread?.close()
    this.closeReading()
  }

  #unitOf(changes: readonly Change[], checkpoint: number): Unit | undefined {
    const newest = newestChanges(changes, this.#checkpoint)
    if (this.#ahead > this.#checkpoint) this.#leaveOut(newest)
    for (const { position } of changes) this.#ahead = Math.max(this.#ahead, position)
    if (newest.size === 0 && checkpoint <= this.#checkpoint) return undefined
    const rows = [...newest].map(([collection, byId]) => {
      const table = this.table(collection)
      return { collection, rows: [...byId.values()].map((change) => rowOf(table, change)) }
    })
    return { changes: newest, rows, checkpoint }
  }

  /** Changes older than what is there already, which a store that was ahead of its checkpoint is told again. */
  #leaveOut(changes: ChangesByDocument): void {
    for (const [collection, byId] of changes)
      for (const { id, position } of byId.values())
        if (this.positionOf(this.table(collection), id) > position) byId.delete(id)
  }

  #write(some: readonly CollectionRows[], checkpoint: number): Promise<void> {
    const changes = some.map(({ collection, rows }) => ({ collection, rows: rows.map(packed) }))
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
