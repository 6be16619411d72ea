import { LRUCache } from 'lru-cache'
import type { Change, WatchedReadModels } from '../domain/kernel/ports/read-models.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'
import type { Sources } from './fragments.ts'

interface PageCacheDeps<V> {
  /** The live read models, when they report their changes. Only then is anything cached or shared. */
  readonly watched?: WatchedReadModels | undefined
  /** Bytes of memory for the cache. */
  readonly memory: number
  /** Returns the bytes of a value. */
  readonly sizeOf: (value: V) => number
  /** Whether a value is still right although nothing has changed but the time. Default: always. */
  readonly isInTime?: (value: V) => boolean
}

/** Value that is being made. Several requests may wait for it. */
interface Making<V> {
  readonly names: Set<string>
  value: Promise<V | undefined>
  isOutdated: boolean
}

interface Cached<V> {
  readonly value: V
  readonly names: ReadonlySet<string>
}

/** Bytes that an entry takes besides its value, and each name of a source. */
const ENTRY_SIZE = 1000
const NAME_SIZE = 150

/** Returns the bytes of a cache's entry. */
export const sizeOfEntry = (key: string, sources: ReadonlySet<string>, valueBytes: number): number =>
  ENTRY_SIZE + sources.size * NAME_SIZE + 2 * key.length + valueBytes

const documentName = (collection: string, id: number | string): string => `${collection} ${id}`
const collectionName = (collection: string): string => `${collection} *`
const whereName = (collection: string, field: string, value: Json | undefined): string =>
  `${collection} ${field}=${value}`

/**
 * Cache of values that are made of documents, by key. An entry is dropped as soon as one of its sources changes. Requests for the same key share one
 * making. What is not found and what fails is not cached.
 */
export class PageCache<V> {
  readonly #deps: PageCacheDeps<V>
  readonly #entries: LRUCache<string, Cached<V>>
  readonly #making = new Map<string, Making<V>>()
  /** Keys of the entries that depend on a source, by its name. */
  readonly #dependants = new Map<string, Set<string>>()
  /** Fields by which documents were looked up, by collection. */
  readonly #fields = new Map<string, Set<string>>()

  constructor(deps: PageCacheDeps<V>) {
    this.#deps = deps
    this.#entries = new LRUCache({
      maxSize: Math.max(1, deps.memory),
      dispose: ({ names }, key) => this.#forgetDependant(key, names),
    })
    deps.watched?.watch((changes) => (changes ? this.#note(changes) : this.#clear()))
  }

  /** Number of cached values. */
  get size(): number {
    return this.#entries.size
  }

  /** Returns a cached value. */
  get(key: string): V | undefined {
    const value = this.#entries.get(key)?.value
    return value !== undefined && this.#deps.isInTime?.(value) !== false ? value : undefined
  }

  /** Returns the value of a key: the cached one, or else one that is made. */
  find(key: string, make: (sources: Sources) => Promise<V | undefined>): V | Promise<V | undefined> {
    return this.get(key) ?? this.make(key, make)
  }

  /** Makes a value and caches it, unless a source changes meanwhile. */
  make(key: string, make: (sources: Sources) => Promise<V | undefined>): Promise<V | undefined> {
    if (!this.#deps.watched) return make(this.#sourcesOf(new Set()))
    const running = this.#making.get(key)
    if (running) return running.value
    const names = new Set<string>()
    const making: Making<V> = { names, isOutdated: false, value: Promise.resolve(undefined) }
    this.#making.set(key, making)
    making.value = make(this.#sourcesOf(names))
      .then((value) => {
        if (value !== undefined && !making.isOutdated) this.#keep(key, value, names)
        return value
      })
      .finally(() => {
        if (this.#making.get(key) === making) this.#making.delete(key)
      })
    return making.value
  }

  #sourcesOf(names: Set<string>): Sources {
    return {
      document: (collection, id) => void names.add(documentName(collection, id)),
      where: (collection, field, value) => {
        getOrInsert(this.#fields, collection, () => new Set<string>()).add(field)
        names.add(whereName(collection, field, value))
      },
      collection: (name) => void names.add(collectionName(name)),
      passing: () => undefined,
    }
  }

  #keep(key: string, value: V, names: ReadonlySet<string>): void {
    this.#entries.set(key, { value, names }, { size: sizeOfEntry(key, names, this.#deps.sizeOf(value)) })
    // A value larger than the whole cache is not kept.
    if (!this.#entries.has(key)) return
    for (const name of names) getOrInsert(this.#dependants, name, () => new Set<string>()).add(key)
  }

  #forgetDependant(key: string, names: ReadonlySet<string>): void {
    for (const name of names) {
      const keys = this.#dependants.get(name)
      keys?.delete(key)
      if (keys?.size === 0) this.#dependants.delete(name)
    }
  }

  #note(changes: readonly Change[]): void {
    for (const { collection, id, document } of changes) {
      this.#drop(documentName(collection, id))
      this.#drop(collectionName(collection))
      for (const field of this.#fields.get(collection) ?? []) {
        const value = document?.[field]
        for (const one of Array.isArray(value) ? value : [value]) this.#drop(whereName(collection, field, one))
      }
    }
  }

  /** Drops what depends on a source. Whoever asks from now on does not wait for a value that is being made of its old content. */
  #drop(name: string): void {
    for (const key of [...(this.#dependants.get(name) ?? [])]) this.#entries.delete(key)
    for (const [key, making] of this.#making) {
      if (!making.names.has(name)) continue
      making.isOutdated = true
      this.#making.delete(key)
    }
  }

  #clear(): void {
    this.#entries.clear()
    for (const making of this.#making.values()) making.isOutdated = true
    this.#making.clear()
  }
}
