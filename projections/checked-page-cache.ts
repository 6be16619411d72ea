import { LRUCache } from 'lru-cache'
import type { LastChanges } from '../domain/kernel/ports/read-models.ts'
import type { Sources } from './fragments.ts'
import { sizeOfEntry } from './page-cache.ts'

interface CheckedPageCacheDeps<V> {
  /** Returns when collections last changed, as of the call; `undefined` where that is not known. Then nothing is cached or shared. */
  readonly lastChanges: () => Promise<LastChanges | undefined>
  /** Bytes of memory for the cache. */
  readonly memory: number
  /** Returns the bytes of a value. */
  readonly sizeOf: (value: V) => number
  /** Whether a value is still right although nothing has changed but the time. Default: always. */
  readonly isInTime?: (value: V) => boolean
}

/** Value that was made, or is being made, of the collections as they were at a moment, or later. */
interface Made<V> {
  readonly asOf: LastChanges
  /** Collections that were looked at until now. */
  readonly collections: Set<string>
  readonly value: Promise<V | undefined>
}

/** Returns whether nothing that a value was made of has changed. What is yet to be looked at, is looked at later. */
const isCurrent = ({ asOf, collections }: Made<unknown>, now: LastChanges): boolean =>
  asOf.generation === now.generation && asOf.positionOf(collections) === now.positionOf(collections)

/** Returns the sources of a value that note their collections. */
const sourcesIn = (collections: Set<string>): Sources => {
  const add = (collection: string) => void collections.add(collection)
  return { document: add, where: add, collection: add, passing: () => undefined }
}

/**
 * Cache of values that are made of documents which other processes change, by key. Each look-up asks first whether one of the collections that a value
 * was made of has changed. Requests for the same key share one making. What is not found and what fails is not cached.
 */
export class CheckedPageCache<V extends object> {
  readonly #deps: CheckedPageCacheDeps<V>
  readonly #entries: LRUCache<string, Made<V>>
  readonly #making = new Map<string, Made<V>>()

  constructor(deps: CheckedPageCacheDeps<V>) {
    this.#deps = deps
    this.#entries = new LRUCache({ maxSize: Math.max(1, deps.memory) })
  }

  /** Number of cached values. */
  get size(): number {
    return this.#entries.size
  }

  /** Returns the value of a key: the cached one, or else one that is made of the present documents. */
  async find(key: string, make: (sources: Sources) => Promise<V | undefined>): Promise<V | undefined> {
    const now = await this.#deps.lastChanges()
    if (!now) return make(sourcesIn(new Set()))
    const known = this.#entries.get(key) ?? this.#making.get(key)
    if (!known || !isCurrent(known, now)) return this.#make(key, now, make)
    const value = await known.value
    return value && this.#deps.isInTime?.(value) === false ? this.#make(key, now, make) : value
  }

  #make(key: string, asOf: LastChanges, make: (sources: Sources) => Promise<V | undefined>): Promise<V | undefined> {
    const collections = new Set<string>()
    const made: Made<V> = { asOf, collections, value: make(sourcesIn(collections)) }
    this.#entries.delete(key)
    this.#making.set(key, made)
    const end = () => this.#making.get(key) === made && this.#making.delete(key)
    made.value.then((value) => {
      // One that was begun later is of newer documents.
      if (end() && value) this.#keep(key, value, made)
    }, end)
    return made.value
  }

  #keep(key: string, value: V, made: Made<V>): void {
    this.#entries.set(key, made, { size: sizeOfEntry(key, made.collections, this.#deps.sizeOf(value)) })
  }
}
