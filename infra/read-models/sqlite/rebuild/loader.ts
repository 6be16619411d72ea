import type { CollectionSpec } from '../../../../domain/kernel/ports/read-models.ts'
import { forceToDisk } from '../../../force-to-disk.ts'
import type { Database } from '../../../sqlite/binding.ts'
import { declare, save } from '../generations/catalog.ts'
import { openViews } from '../layout.ts'
import type { CatalogedCollection } from '../table.ts'
import { type BulkChannel, isStopped, noteWritten, stop } from './bulk-channel.ts'
import { BulkTable } from './bulk-table.ts'
import type { BulkBatch } from './row-sender.ts'

export interface LoaderData {
  readonly file: string
  readonly specs: readonly CollectionSpec[]
  readonly channels: readonly BulkChannel[]
}

/**
 * Task for the thread of a bulk load. Each returns the collections, or throws if writing has failed. `finish`, once everything was sent,
 * also creates the indexes and forces everything to disk.
 */
export type LoaderTask = 'look' | 'finish'

/** Writes what other threads send into a file that no other connection has open: in one transaction, with the indexes at the end. */
export class Loader {
  readonly #data: LoaderData
  readonly #db: Database
  readonly #tables: ReadonlyMap<string, BulkTable>
  #failure: unknown

  constructor(data: LoaderData) {
    this.#data = data
    this.#db = openViews(data.file, 'loading')
    this.#tables = new Map(
      [...declare(this.#db, data.specs, false)].map(([name, table]) => [name, new BulkTable(this.#db, table)]),
    )
    this.#db.exec('BEGIN EXCLUSIVE')
    for (const channel of data.channels) channel.port.on('message', (batch: BulkBatch) => this.#load(batch, channel))
  }

  /** @throws {Error} of SQLite, also of an earlier write */
  answer(task: LoaderTask): readonly CatalogedCollection[] {
    if (this.#failure) throw this.#failure
    if (task === 'finish') this.#finish()
    return [...this.#tables.values()].map(({ table }) => table.cataloged)
  }

  close(): void {
    for (const { port } of this.#data.channels) port.close()
    this.#db.close()
  }

  #load(batch: BulkBatch, { shared }: BulkChannel): void {
    try {
      if (!this.#failure) for (const { collection, rows } of batch) this.#tables.get(collection)!.insert(rows)
    } catch (error) {
      this.#failure = error
      for (const channel of this.#data.channels) stop(channel.shared)
    }
    noteWritten(shared)
  }

  #finish(): void {
    const { channels } = this.#data
    for (const { table } of this.#tables.values()) {
      if (channels.some(({ shared }) => isStopped(shared))) throw new Error('this load was given up')
      save(this.#db, table.cataloged)
      this.#db.exec(table.indexing)
    }
    this.#db.exec('COMMIT')
    forceToDisk(this.#data.file)
  }
}
