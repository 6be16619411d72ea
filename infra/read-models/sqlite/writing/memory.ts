import { LRUCache } from 'lru-cache'
import type { Document } from '../../../../domain/kernel/ports/read-models.ts'
import type { Pending, Unit } from './pending.ts'

/** Size of the cache for documents read singly or changed lately, in characters of their text. Parsed, they take several times that. */
const MOST_CHARACTERS = 4 * 1024 * 1024
const LEAST_CHARACTERS = 100

/** Documents that need not be read from the file: those of pending changes, and those that were read or changed lately. */
export class Memory {
  readonly pending: Pending
  readonly #read = new LRUCache<string, Document>({ maxSize: MOST_CHARACTERS })

  constructor(pending: Pending) {
    this.pending = pending
  }

  /** Returns a document; `null` for one that was removed, `undefined` for one that has to be read from the file. */
  get(collection: string, id: number | string): Document | null | undefined {
    const change = this.pending.of(collection).get(id)
    return change ? change.document : this.#read.get(keyOf(collection, id))
  }

  /** Caches a document as it is in the file. */
  keep(collection: string, document: Document, characters: number): void {
    this.#read.set(keyOf(collection, document.id), document, { size: characters + LEAST_CHARACTERS })
  }

  /** Caches changed documents: those that have changed before change again, and are read for it. New ones are not read any more often than others. */
  note({ changes, rows }: Unit): void {
    for (const { collection, rows: written } of rows) {
      let at = 0
      for (const { id, document, isNew } of changes.get(collection)?.values() ?? []) {
        const characters = written[at++]?.document?.length
        if (document && characters !== undefined && !isNew) this.keep(collection, document, characters)
        else this.#read.delete(keyOf(collection, id))
      }
    }
  }
}

const keyOf = (collection: string, id: number | string): string =>
  typeof id === 'number' ? `${collection} ${id}` : `${collection}\0${id}`
