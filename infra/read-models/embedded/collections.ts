import type { RootDatabase } from 'lmdb'
import type { CollectionSpec } from '../../../domain/kernel/ports/read-models.ts'
import { type Catalog, catalogOf } from './catalog.ts'
import { MaintainedIndex } from './index-entries.ts'
import { isEmpty, openDocuments, openEntries, StoredCollection } from './stored-collection.ts'

const KEY = 'catalog'

/** The collections of a generation, as its catalog lists them. */
export class Collections {
  readonly #root: RootDatabase
  readonly #byName = new Map<string, StoredCollection>()
  #saved = -1

  constructor(root: RootDatabase, declared: readonly CollectionSpec[]) {
    this.#root = root
    const stored: Catalog = root.get(KEY) ?? {}
    root.transactionSync(() => {
      const entries = openEntries(root)
      const catalog = catalogOf(stored, declared, (name) => isEmpty(openDocuments(root, name)))
      for (const [name, cataloged] of Object.entries(catalog)) {
        const indexes = cataloged.map((index) => new MaintainedIndex(index))
        this.#byName.set(name, new StoredCollection(name, openDocuments(root, name), entries, indexes))
      }
      if (JSON.stringify(catalog) !== JSON.stringify(stored)) root.put(KEY, catalog)
    })
  }

  /** @throws {Error} when there is no such collection. */
  named(name: string): StoredCollection {
    const collection = this.#byName.get(name)
    if (!collection) throw new Error(`the read models have no collection ${JSON.stringify(name)}`)
    return collection
  }

  /** Keeps in the catalog which indexes became multivalued; belongs into a batch of the environment. */
  save(): void {
    let multivalued = 0
    for (const { indexes } of this.#byName.values()) for (const index of indexes) if (index.multivalued) multivalued++
    if (multivalued === this.#saved) return
    const entries = [...this.#byName].map(([name, { indexes }]) => [name, indexes.map((index) => index.cataloged)])
    this.#root.put(KEY, Object.fromEntries(entries))
    this.#saved = multivalued
  }

  /** The batch that `save` was part of came to nothing. */
  unsaved(): void {
    this.#saved = -1
  }
}
