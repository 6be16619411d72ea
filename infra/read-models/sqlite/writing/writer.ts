import type { Database } from '../../../sqlite/binding.ts'
import { troubleOf } from '../../../sqlite/failures.ts'
import { atomically } from '../../../sqlite/open.ts'
import { Statements } from '../../../sqlite/statements.ts'
import { readCatalog, save } from '../generations/catalog.ts'
import { Dropping } from '../generations/dropping.ts'
import { leaveMark } from '../generations/files.ts'
import { WriteAheadLog } from '../generations/write-ahead-log.ts'
import { type Meta, openViews, readMeta, writeMeta } from '../layout.ts'
import { type PackedRows, rowIn } from '../rebuild/packed-row.ts'
import { TableWriter } from './table-writer.ts'

/** Task for the thread that writes a file of read models. */
export type Task =
  | { readonly do: 'apply'; readonly changes: readonly PackedRows[]; readonly checkpoint: number }
  /** Creates the missing indexes of these collections. */
  | { readonly do: 'index'; readonly collections: readonly string[] }
  /** Writes the metadata, empties the write-ahead log into the file, and forces that to disk. */
  | { readonly do: 'flush'; readonly meta: Meta }

export interface WriterData {
  readonly file: string
  readonly use: 'writing' | 'building'
}

/** Multiple of the size worth moving from which on the log is emptied before more is added. */
const TOO_MUCH = 4

/** Does all writing to one file of read models, on a separate thread. */
export class Writer {
  readonly #file: string
  readonly #db: Database
  readonly #tables: ReadonlyMap<string, TableWriter>
  readonly #log: WriteAheadLog
  readonly #dropping: Dropping
  #checkpoint: number
  #moving: NodeJS.Immediate | undefined

  constructor({ file, use }: WriterData) {
    this.#file = file
    this.#db = openViews(file, use)
    const statements = new Statements(this.#db)
    this.#tables = new Map(
      [...readCatalog(this.#db)].map(([name, table]) => [name, new TableWriter(statements, table)]),
    )
    this.#log = new WriteAheadLog(this.#db, file)
    this.#checkpoint = readMeta(this.#db).checkpoint ?? -1
    this.#dropping = new Dropping(this.#db, () => this.#moveLater())
    this.#dropping.start()
  }

  /** Runs a task. Returns the position of the last event that is applied. @throws {Error} of SQLite; then nothing is changed */
  answer(task: Task): number {
    try {
      if (task.do === 'apply') this.#apply(task.changes, task.checkpoint)
      else if (task.do === 'index') this.#index(task.collections)
      else this.#flush(task.meta)
    } catch (error) {
      // The log itself may be what fills the disk.
      if (troubleOf(error) === 'full') this.#move()
      throw error
    }
    return this.#checkpoint
  }

  close(): void {
    this.#dropping.stop()
    clearImmediate(this.#moving)
    this.#db.close()
  }

  #apply(changes: readonly PackedRows[], checkpoint: number): void {
    if (this.#log.worth > TOO_MUCH) this.#move()
    const reached = Math.max(this.#checkpoint, checkpoint)
    atomically(this.#db, () => {
      for (const { collection, rows } of changes) {
        const table = this.#tables.get(collection)!
        for (const row of rows) if (Number(row[1]) > this.#checkpoint) table.write(rowIn(row))
        if (table.changed) save(this.#db, table.table.cataloged)
      }
      if (reached > this.#checkpoint) writeMeta(this.#db, { checkpoint: reached })
    })
    for (const { collection } of changes) this.#tables.get(collection)!.changed = false
    this.#checkpoint = reached
    this.#moveLater()
  }

  #index(collections: readonly string[]): void {
    for (const name of collections) this.#db.exec(this.#tables.get(name)!.table.indexing)
    this.#moveLater()
  }

  #flush(meta: Meta): void {
    this.#db.exec('PRAGMA synchronous = NORMAL')
    // SQLite syncs the file only when something is written.
    atomically(this.#db, () => writeMeta(this.#db, { checkpoint: this.#checkpoint, ...meta }))
    this.#log.moveAll()
  }

  /** Moves the log after the answer was sent, since that takes a while. */
  #moveLater(): void {
    this.#moving ??= setImmediate(() => {
      this.#moving = undefined
      if (this.#log.worth > 1) this.#move()
    })
  }

  #move(): void {
    try {
      this.#log.move()
    } catch (error) {
      // Pages in the log stay there for the next move. But pages that a failed flush covered may be neither there nor in the file.
      if (troubleOf(error) === 'sync') leaveMark(this.#file, 'a flush to the disk failed')
    }
  }
}
