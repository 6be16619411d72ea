import { LRUCache } from 'lru-cache'
import type { Document } from '../../../../domain/kernel/ports/read-models.ts'
import type { ChangesByDocument } from '../../newest-changes.ts'
import type { Pending } from './pending.ts'

/** Size of the cache for documents read singly, in characters of their text. Parsed, they take several times that. */
const MOST_CHARACTERS = 4 * 1024 * 1024
const LEAST_CHARACTERS = 100

/** Documents that need not be read from the file: those of pending changes, and those that were read lately. */
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

  /** Drops changed documents from the cache. */
  note(changes: ChangesByDocument): void {
    for (const [collection, byId] of changes) for (const id of byId.keys()) this.#read.delete(keyOf(collection, id))
  }
}

const keyOf = (collection: string, id: number | string): string =>
  typeof id === 'number' ? `${collection} ${id}` : `${collection}\0${id}`
