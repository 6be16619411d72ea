import { type Database, getLastVersion, type RootDatabase, type RootDatabaseOptions } from 'lmdb'
import type { Change, Document } from '../../../domain/kernel/ports/read-models.ts'
import type { MaintainedIndex } from './index-entries.ts'
import { BEHIND, KeyBuffer, TAG } from './key-buffer.ts'
import { readId } from './key-reading.ts'

export type DocumentKey = number | string | symbol | Uint8Array
export type Documents = Database<Document, DocumentKey>
export type Entries = Database<Uint8Array, Uint8Array>

const NOTHING = Buffer.alloc(0)
const STRUCTURES = Symbol.for('structures')
const key = KeyBuffer.allocate()

/** Keys of documents are their ids; a smaller key holds what the documents' encoding has in common. */
const idKeys = {
  writeKey(id: DocumentKey, target: Uint8Array, position: number): number {
    if (id instanceof Uint8Array) return copy(id, target, position)
    key.used = 0
    if (typeof id === 'symbol') key.byte(0)
    else key.id(id)
    return copy(key.bytes(), target, position)
  },
  readKey: (source: Uint8Array, start: number, end: number) => Uint8Array.prototype.slice.call(source, start, end),
}

const entryKeys = {
  writeKey: (entry: Uint8Array, target: Uint8Array, position: number) =>
    copy(entry instanceof KeyBuffer ? entry.bytes() : entry, target, position),
  readKey: idKeys.readKey,
}

/** Not byte by byte: lmdb's buffers are of so many kinds that a loop over them is slow. */
function copy(bytes: Uint8Array, target: Uint8Array, position: number): number {
  target.set(bytes, position)
  return position + bytes.length
}

/** The documents of one collection; the version of each is its position. */
export function openDocuments(root: RootDatabase, collection: string): Documents {
  const options: RootDatabaseOptions & { name: string } = {
    name: `documents/${collection}`,
    keyEncoder: idKeys,
    sharedStructuresKey: STRUCTURES,
    useVersions: true,
  }
  return root.openDB(options)
}

export function isEmpty(documents: Documents): boolean {
  for (const _ of documents.getKeys({ start: Buffer.of(TAG.null), limit: 1 })) return false
  return true
}

/** The one database that holds the entries of all indexes of a generation. */
export function openEntries(root: RootDatabase): Entries {
  const options: RootDatabaseOptions & { name: string } = { name: 'indexes', encoding: 'binary', keyEncoder: entryKeys }
  return root.openDB(options)
}

/** The documents of one collection, with the entries of its indexes. Writes belong into a batch of the environment. */
export class StoredCollection {
  readonly name: string
  readonly documents: Documents
  readonly entries: Entries
  readonly indexes: readonly MaintainedIndex[]
  #highest: number

  constructor(name: string, documents: Documents, entries: Entries, indexes: readonly MaintainedIndex[]) {
    this.name = name
    this.documents = documents
    this.entries = entries
    this.indexes = indexes
    this.#highest = this.#highestNumber()
  }

  get(id: number | string): Document | undefined {
    return this.documents.get(id)
  }

  /**
   * Stores or removes one document, unless it is as new already; gives whether it was not. Sees only what was committed before
   * the batch, so that a batch may change a document once.
   */
  write({ id, document, position }: Change): boolean {
    const known = !(typeof id === 'number' && id > this.#highest)
    const before = known ? this.documents.get(id) : undefined
    if (before && getLastVersion() >= position) return false
    if (document) this.documents.put(id, document, position)
    else if (before) this.documents.remove(id)
    if (typeof id === 'number' && !known) this.#highest = id
    for (const index of this.indexes) this.#index(index, before, document)
    return true
  }

  #index(index: MaintainedIndex, before: Document | undefined, after: Document | null): void {
    if (!before) {
      if (after) index.each(after, (entry) => this.entries.put(entry, NOTHING))
      return
    }
    if (after && index.unchanged(before, after)) return
    const stale = new Map<string, Buffer>()
    index.each(before, (entry) => {
      const bytes = entry.copy()
      stale.set(bytes.toString('latin1'), bytes)
    })
    if (after)
      index.each(after, (entry) => !stale.delete(entry.copy().toString('latin1')) && this.entries.put(entry, NOTHING))
    for (const entry of stale.values()) this.entries.remove(entry)
  }

  #highestNumber(): number {
    const end = Buffer.of(TAG.number)
    for (const last of this.documents.getKeys({ start: Buffer.of(TAG.number, BEHIND), end, reverse: true, limit: 1 }))
      return readId(last as Uint8Array, 0) as number
    return -Infinity
  }
}
