import type { Change } from '../../../../domain/kernel/ports/read-models.ts'
import { getOrInsert } from '../../../../domain/kernel/values/get-or-insert.ts'
import { rowOf } from '../row.ts'
import { type CatalogedCollection, Table } from '../table.ts'
import { type BulkChannel, isStopped, noteSent, waitUntilWritten } from './bulk-channel.ts'
import { type PackedRow, type PackedRows, packed } from './packed-row.ts'

/** Rows of new documents, by collection. */
export type BulkBatch = readonly PackedRows[]

/**
 * Characters of documents in one batch, and number of unwritten batches at which a sender waits. Batches are small enough to be sent before the
 * garbage collector moves them to the old generation.
 */
const BATCH_CHARACTERS = 1 << 17
const MOST_UNWRITTEN = 8

/** Makes rows of new documents and sends them to the thread that writes them. */
export class RowSender {
  readonly #channel: BulkChannel
  readonly #tables: ReadonlyMap<string, Table>
  #rows = new Map<string, PackedRow[]>()
  #characters = 0

  constructor(channel: BulkChannel, collections: readonly CatalogedCollection[]) {
    this.#channel = channel
    this.#tables = new Map(collections.map((collection) => [collection.name, new Table(collection)]))
  }

  /** Whether the load failed or was given up, so that sending more is useless. */
  get isStopped(): boolean {
    return isStopped(this.#channel.shared)
  }

  /** Adds documents, each of which may come only once. Blocks the thread while too many are unwritten. @throws {TypeError} for a value that is not JSON */
  add(changes: readonly Change[]): void {
    for (const change of changes) this.#add(change)
    if (this.#characters >= BATCH_CHARACTERS) this.#send()
  }

  /** Sends the rest, and blocks the thread until everything is written. */
  drain(): void {
    this.#send()
    waitUntilWritten(this.#channel.shared)
  }

  #add(change: Change): void {
    const row = rowOf(this.#tables.get(change.collection)!, change)
    if (row.document === undefined) return
    getOrInsert(this.#rows, change.collection, (): PackedRow[] => []).push(packed(row))
    this.#characters += row.document.length
  }

  #send(): void {
    const batch: BulkBatch = [...this.#rows].map(([collection, rows]) => ({ collection, rows }))
    this.#rows = new Map()
    this.#characters = 0
    this.#channel.port.postMessage(batch)
    noteSent(this.#channel.shared, MOST_UNWRITTEN)
  }
}
