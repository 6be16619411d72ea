import { LRUCache } from 'lru-cache'
import type { Change, Document } from '../domain/kernel/ports/read-models.ts'
import type { Json } from '../domain/kernel/values/event.ts'
import { getOrInsert } from '../domain/kernel/values/get-or-insert.ts'

/** A record as it is sent. */
export interface Fragment {
  /** What decides who may see it, and its revision. */
  readonly frame: Document
  /** JSON. */
  readonly text: string
  /** Parts that are not shown whole. */
  readonly cuts: readonly string[]
  /** What it is made of, by name. */
  readonly sources: readonly string[]
}

/** One page of a list as it is sent. */
export interface Page {
  /** JSON; in bytes where it is kept, since to write them out costs as much as all else that is done for a page. */
  readonly text: string | Buffer
  /** The frame of the last record on it. */
  readonly last?: Document
  /** Whether something comes behind it. */
  readonly more: boolean
  /** Parts of its records that are not shown whole. */
  readonly cuts: readonly string[]
}

/** What a fragment is made of, noted while it is being made. */
export interface Sources {
  document(collection: string, id: number | string): void
  where(collection: string, field: string, value: number | string): void
  /** Anything in a collection. */
  collection(name: string): void
  /** The moment itself, such as that at which a link expires: then it is not kept. */
  passing(): void
}

/** Something that is being made. */
export interface Making extends Sources {
  readonly begun: number
  readonly names: readonly string[]
  /** What others are made of that were made since it began, or are still as they would be made. */
  of(others: readonly Pick<Fragment, 'sources'>[]): void
}

type Ids = readonly (number | string)[]

/** Something that is kept, and what it is made of. */
interface CachedEntry<T> {
  readonly value: T
  readonly names: readonly string[]
  /** When it was known to be as the documents are. */
  asOf: number
}

/** So many that were asked for once are remembered, and as many before them: what is asked for again is kept, what somebody only passes by is not. */
const ASKED = 16_000

/** Lists that are kept. */
const MOST_LISTS = 2000
/** Of longer ones it is not sure that they are asked for again. */
const MOST_IDS = 50

/** Changes that are remembered; a fragment that was not asked for since the oldest of them is taken for outdated. */
const REMEMBERED = 20_000
/** What is made of more costs more to keep than to make. */
const MOST_SOURCES = 100
/** Of a page. */
const MOST_PAGE_SOURCES = 400
/** One of so many bytes is for whole pages. */
const PAGES = 4
/** What objects, keys and the list of what was used last take beside the texts, in bytes. */
const LEAST_SIZE = 900

/** A text with one letter beyond Latin takes two bytes a letter. */
const bytesOf = (text: string): number => (/[^\0-\u00ff]/.test(text) ? 2 : 1) * text.length

/** Stands among the sources of what is not kept. */
const PASSING = ''

const documentName = (collection: string, id: number | string): string => `${collection} ${id}`
const collectionName = (collection: string): string => `${collection} *`
const whereName = (collection: string, field: string, value: Json | undefined): string =>
  `${collection} ${field}=${value}`

const keptSince = <T>({ begun, names }: Making, value: T): CachedEntry<T> => ({ value, names, asOf: begun })

/** What it takes to keep it, in bytes, without its text. */
const sizeOf = (key: string, { names }: Making): number =>
  2 * key.length + names.reduce((sum, name) => sum + name.length, LEAST_SIZE)

/**
 * Records as they are sent, for as long as nothing has changed that they are made of: the record itself, and every document that its view has
 * looked at or looked for. With them the ids that lists consist of, for as long as nothing changes in the collection, and whole pages.
 */
export class Fragments {
  readonly #kept: LRUCache<string, CachedEntry<Fragment>>
  readonly #pages: LRUCache<string, CachedEntry<Page>>
  #asked = new Set<string>()
  #askedBefore = new Set<string>()
  readonly #lists = new LRUCache<string, CachedEntry<Ids>>({ max: MOST_LISTS })
  /** When the sources changed that changed lately, by name. */
  #changed = new Map<string, number>()
  #changedBefore = new Map<string, number>()
  /** Fields that views look for, by collection. */
  readonly #fields = new Map<string, Set<string>>()
  #now = 0
  /** From here on all changes are remembered. */
  #since = 0
  #sinceNext = 0

  /** @param bytes of memory that they may take */
  constructor(bytes: number) {
    const forPages = Math.max(1, Math.floor(bytes / PAGES))
    this.#pages = new LRUCache({ maxSize: forPages })
    this.#kept = new LRUCache({ maxSize: Math.max(1, bytes - forPages) })
  }

  get(key: string): Fragment | undefined {
    return this.#valid(this.#kept.get(key))
  }

  /** The ids of a list. */
  ids(key: string): Ids | undefined {
    return this.#valid(this.#lists.get(key))
  }

  /** A page of a list. */
  page(key: string): Page | undefined {
    return this.#valid(this.#pages.get(key))
  }

  /** To be called before anything is read. */
  begin(): Making {
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

  /** Keeps what was made for the second time, unless something has changed meanwhile. */
  keep(key: string, fragment: Fragment, making: Making): void {
    if (!this.#pays(key, making, MOST_SOURCES)) return
    this.#kept.set(key, keptSince(making, fragment), { size: sizeOf(key, making) + bytesOf(fragment.text) })
  }

  /** Keeps a page in the same way. @returns it, as it is kept */
  keepPage(key: string, page: Page, making: Making): Page {
    if (!this.#pays(key, making, MOST_PAGE_SOURCES)) return page
    const text = Buffer.from(page.text)
    const sent = { ...page, text }
    this.#pages.set(key, keptSince(making, sent), { size: sizeOf(key, making) + text.length })
    return sent
  }

  /** Keeps the ids of a list of a collection. */
  keepIds(key: string, ids: Ids, making: Making): void {
    if (ids.length <= MOST_IDS && this.#isAsOf(making.begun, making.names)) this.#lists.set(key, keptSince(making, ids))
  }

  /** What has changed is not shown any more. */
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

  /** Keeps nothing of what is there, nor of what is being made. */
  forget(): void {
    this.#kept.clear()
    this.#pages.clear()
    this.#lists.clear()
    this.#since = ++this.#now
  }

  #pays(key: string, { begun, names }: Making, mostSources: number): boolean {
    if (!this.#isAskedAgain(key) || names.length > mostSources || names.includes(PASSING)) return false
    return this.#isAsOf(begun, names)
  }

  #isAskedAgain(key: string): boolean {
    if (this.#asked.has(key) || this.#askedBefore.has(key)) return true
    this.#asked.add(key)
    if (this.#asked.size === ASKED) {
      this.#askedBefore = this.#asked
      this.#asked = new Set()
    }
    return false
  }

  #valid<T>(kept: CachedEntry<T> | undefined): T | undefined {
    if (!kept || !this.#isAsOf(kept.asOf, kept.names)) return undefined
    kept.asOf = this.#now
    return kept.value
  }

  #isAsOf(moment: number, names: readonly string[]): boolean {
    if (moment === this.#now) return true
    if (moment < this.#since) return false
    return names.every((name) => (this.#changed.get(name) ?? this.#changedBefore.get(name) ?? 0) <= moment)
  }
}
