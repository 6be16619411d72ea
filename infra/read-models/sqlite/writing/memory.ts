import { LRUCache } from 'lru-cache'
import type { Document } from '../../../../domain/kernel/ports/read-models.ts'
import type { ChangesByDocument } from '../../newest-changes.ts'
import type { Pending } from './pending.ts'

/** What documents that were read singly may take, in characters of their text; parsed they take some times that. */
const MOST_CHARACTERS = 4 * 1024 * 1024
const LEAST_CHARACTERS = 100

/** What need not be read from the file: what waits to be written to it, and what was read lately. */
export class Memory {
  readonly pending: Pending
  readonly #read = new LRUCache<string, Document>({ maxSize: MOST_CHARACTERS })

  constructor(pending: Pending) {
    this.pending = pending
  }

  /** `null` for a document that is gone, `undefined` where the file must be asked. */
  get(collection: string, id: number | string): Document | null | undefined {
    const change = this.pending.of(collection).get(id)
    return change ? change.document : this.#read.get(keyOf(collection, id))
  }

  /** Keeps a document as it is in the file. */
  keep(collection: string, document: Document, characters: number): void {
    this.#read.set(keyOf(collection, document.id), document, { size: characters + LEAST_CHARACTERS })
  }

  /** What has changed is not as it was read any more. */
  note(changes: ChangesByDocument): void {
    for (const [collection, byId] of changes) for (const id of byId.keys()) this.#read.delete(keyOf(collection, id))
  }
}

const keyOf = (collection: string, id: number | string): string =>
  typeof id === 'number' ? `${collection} ${id}` : `${collection}\0${id}`
