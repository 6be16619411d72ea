import { LRUCache } from 'lru-cache'
import type { Change, Document } from '../domain/kernel/ports/read-models.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'

/** Record as it is sent. */
export interface Fragment {
  /** Fields that decide who may see it and where it stands in lists, and its revision. */
  readonly frame: Document
  /** JSON. */
  readonly text: string
  /** Names of parts that are not shown completely. */
  readonly cuts: readonly string[]
  /** Names of the sources that it depends on. */
  readonly sources: readonly string[]
}

/** Page of a list as it is sent. */
export interface Page {
  /** JSON; a large page in parts. A cached page holds bytes, because encoding a text costs as much as everything else for a page. */
  readonly text: string | Buffer | readonly Buffer[]
  /** The frame of the last record on it. */
  readonly last?: Document
  /** Whether more records come after it. */
  readonly more: boolean
  /** Names of parts of its records that are not shown completely. */
  readonly cuts: readonly string[]
}

/** Collects the sources of a fragment while it is being made. */
export interface Sources {
  document(collection: string, id: number | string): void
  where(collection: string, field: string, value: number | string): void
  /** All documents of a collection. */
  collection(name: string): void
  /** The current time, for example for a link that expires. Such a fragment is not cached. */
  passing(): void
}

/** Fragment, list or page that is being made. */
export interface PendingEntry extends Sources {
  readonly begun: number
  readonly names: readonly string[]
  /** Adds the sources of other fragments, which were made since it began or are still valid. */
  of(others: readonly Pick<Fragment, 'sources'>[]): void
}

type Ids = readonly (number | string)[]

/** Cached value with the names of its sources. */
interface CachedEntry<T> {
  readonly value: T
  readonly names: readonly string[]
  /** Number of the latest change after which it was known to be valid. */
  asOf: number
}

/** Number of keys that are remembered as requested once, and as many before them. Only a value that is requested again is cached. */
const MOST_REQUESTED = 16_000

/** Highest number of cached lists. */
const MOST_LISTS = 2000
/** Highest number of ids in a cached list. Longer lists are less likely to be requested again. */
const MOST_IDS = 50

/** Number of remembered changes. A fragment that was last requested before the oldest of them counts as outdated. */
const REMEMBERED = 20_000
/** Highest number of sources of a cached fragment. With more, caching it costs more than making it. */
const MOST_SOURCES = 100
/** Highest number of sources of a cached page. */
const MOST_PAGE_SOURCES = 400
/** Whole pages get one byte in so many. */
const PAGES = 4
/** Bytes that the objects, keys and usage list of an entry take besides its text. */
const LEAST_SIZE = 900

/** Returns the bytes of a text in memory. One character beyond Latin-1 makes all characters take two bytes. */
const bytesOf = (text: string): number => (/[^\0-\u00ff]/.test(text) ? 2 : 1) * text.length

/** Source of values that must not be cached. */
const PASSING = ''

const documentName = (collection: string, id: number | string): string => `${collection} ${id}`
const collectionName = (collection: string): string => `${collection} *`
const whereName = (collection: string, field: string, value: Json | undefined): string =>
  `${collection} ${field}=${value}`

const entryFrom = <T>({ begun, names }: PendingEntry, value: T): CachedEntry<T> => ({ value, names, asOf: begun })

/** Returns the bytes of a cache entry without its text. */
const sizeOf = (key: string, { names }: PendingEntry): number =>
  2 * key.length + names.reduce((sum, name) => sum + name.length, LEAST_SIZE)

/**
 * Cache of records as they are sent. An entry is valid until one of its sources changes: the record itself, or a document that its view
 * looked at or looked for. Also caches the ids of lists, which are valid until their collection changes, and whole pages.
 */
export class Fragments {
  readonly #fragments: LRUCache<string, CachedEntry<Fragment>>
  readonly #pages: LRUCache<string, CachedEntry<Page>>
  #requested = new Set<string>()
  #requestedBefore = new Set<string>()
  readonly #lists = new LRUCache<string, CachedEntry<Ids>>({ max: MOST_LISTS })
  /** Number of the latest change of each source that changed recently, by name. */
  #changed = new Map<string, number>()
  #changedBefore = new Map<string, number>()
  /** Fields by which views look documents up, by collection. */
  readonly #fields = new Map<string, Set<string>>()
  #now = 0
  /** Number of the change from which on all changes are remembered. */
  #since = 0
  #sinceNext = 0

  /** @param bytes memory that the cache may take */
  constructor(bytes: number) {
    const forPages = Math.max(1, Math.floor(bytes / PAGES))
    this.#pages = new LRUCache({ maxSize: forPages })
    this.#fragments = new LRUCache({ maxSize: Math.max(1, bytes - forPages) })
  }

  get(key: string): Fragment | undefined {
    return this.#valid(this.#fragments.get(key))
  }

  /** Returns the cached ids of a list. */
  ids(key: string): Ids | undefined {
    return this.#valid(this.#lists.get(key))
  }

  /** Returns a cached page of a list. */
  page(key: string): Page | undefined {
    return this.#valid(this.#pages.get(key))
  }

  /** Begins a fragment, list or page. Must be called before anything is read for it. */
  begin(): PendingEntry {
    const names: string[] = []
    return {
      begun: this.#now,
      names,
      document: (collection, id) => void names.push(documentName(collection, id)),
      where: (collection, field, value) => {
        getOrInsert(this.#fields, collection, () => new Set<string>()).add(field)
        names.push(whereName(collection, field, value))
      },
      passing: () => void names.push(PASSING),
      collection: (name) => void names.push(collectionName(name)),
      of: (others) => {
        for (const { sources } of others) names.push(...sources)
      },
    }
  }

  /** Caches a fragment that is requested for the second time, unless a source has changed meanwhile. */
  keep(key: string, fragment: Fragment, making: PendingEntry): void {
    if (!this.#isWorthCaching(key, making, MOST_SOURCES)) return
    this.#fragments.set(key, entryFrom(making, fragment), { size: sizeOf(key, making) + bytesOf(fragment.text) })
  }

  /** Caches a page in the same way, unless it is large. @returns the page, with bytes for its text if it was cached */
  keepPage(key: string, page: Page, making: PendingEntry): Page {
    if (typeof page.text !== 'string' || !this.#isWorthCaching(key, making, MOST_PAGE_SOURCES)) return page
    const text = Buffer.from(page.text)
    const sent = { ...page, text }
    this.#pages.set(key, entryFrom(making, sent), { size: sizeOf(key, making) + text.length })
    return sent
  }

  /** Caches the ids of a list that is not too long, unless a source has changed meanwhile. */
  keepIds(key: string, ids: Ids, making: PendingEntry): void {
    if (ids.length <= MOST_IDS && this.#isAsOf(making.begun, making.names)) this.#lists.set(key, entryFrom(making, ids))
  }

  /** Invalidates everything that depends on changed documents. */
  note(changes: readonly Change[]): void {
    this.#now++
    for (const { collection, id, document } of changes) {
      this.#changed.set(documentName(collection, id), this.#now)
      this.#changed.set(collectionName(collection), this.#now)
      for (const field of this.#fields.get(collection) ?? []) {
        const value = document?.[field]
        for (const one of Array.isArray(value) ? value : [value])
          this.#changed.set(whereName(collection, field, one), this.#now)
      }
    }
    if (this.#changed.size < REMEMBERED) return
    this.#changedBefore = this.#changed
    this.#changed = new Map()
    this.#since = this.#sinceNext
    this.#sinceNext = this.#now
  }

  /** Clears the cache. Values that are being made now will not be cached. */
  forget(): void {
    this.#fragments.clear()
    this.#pages.clear()
    this.#lists.clear()
    this.#since = ++this.#now
  }

  #isWorthCaching(key: string, { begun, names }: PendingEntry, mostSources: number): boolean {
    if (!this.#isRequestedAgain(key) || names.length > mostSources || names.includes(PASSING)) return false
    return this.#isAsOf(begun, names)
  }

  #isRequestedAgain(key: string): boolean {
    if (this.#requested.has(key) || this.#requestedBefore.has(key)) return true
    this.#requested.add(key)
    if (this.#requested.size === MOST_REQUESTED) {
      this.#requestedBefore = this.#requested
      this.#requested = new Set()
    }
    return false
  }

  #valid<T>(entry: CachedEntry<T> | undefined): T | undefined {
    if (!entry || !this.#isAsOf(entry.asOf, entry.names)) return undefined
    entry.asOf = this.#now
    return entry.value
  }

  #isAsOf(moment: number, names: readonly string[]): boolean {
    if (moment === this.#now) return true
    if (moment < this.#since) return false
    return names.every((name) => (this.#changed.get(name) ?? this.#changedBefore.get(name) ?? 0) <= moment)
  }
}
