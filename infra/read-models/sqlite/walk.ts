import type { SqlValue } from '../../sqlite/binding.ts'
import { compare } from './encoding.ts'
import { columnsOf, type Place, type Source, selectionOf } from './source.ts'

/** A row of a source; with the text of its document where that was asked for. */
export interface Entry {
  readonly place: Place
  readonly document: string | undefined
}

type Rows = (text: string, values: readonly SqlValue[]) => readonly (readonly [...Place, string?])[]

interface Cursor {
  readonly source: Source
  /** Read ahead. */
  entries: readonly Entry[]
  at: number
  /** Behind what was read. */
  isOver: boolean
}

/** Rows read from a source at once. */
const PAGE = 500

interface Options {
  readonly rows: Rows
  readonly sources: readonly Source[]
  readonly descending: boolean
  readonly after: Place | undefined
  /** How many rows will do, as far as is known. */
  readonly wanted: number
  /** Whether documents are read along with a single source. */
  readonly documents: boolean
}

/** The rows of several sources in one order, each document once. */
export class Walk {
  readonly #options: Options
  readonly #cursors: Cursor[]
  #page: number
  #last: Place | undefined

  constructor(options: Options) {
    this.#options = options
    this.#last = options.after
    this.#page = Math.min(options.wanted, PAGE)
    this.#cursors = options.sources.map((source) => ({ source, entries: [], at: 0, isOver: false }))
  }

  next(): Entry | undefined {
    for (;;) {
      const cursor = this.#first()
      const entry = cursor?.entries[cursor.at]
      if (!cursor || !entry) return undefined
      cursor.at++
      // Where there are several sources, a document may stand in each.
      const isNew = !this.#last || this.#cursors.length === 1 || order(this.#last, entry.place) !== 0
      this.#last = entry.place
      if (isNew) return entry
    }
  }

  /** Forgets what was read ahead without its documents: they may have changed. */
  restart(): void {
    if (this.#cursors.length === 1 && this.#options.documents) return
    for (const cursor of this.#cursors) {
      if (cursor.at < cursor.entries.length) cursor.isOver = false
      cursor.entries = []
    }
  }

  #first(): Cursor | undefined {
    let first: Cursor | undefined
    for (const cursor of this.#cursors) {
      if (cursor.at >= cursor.entries.length) this.#fill(cursor)
      if (cursor.at >= cursor.entries.length) continue
      if (!first || this.#isBefore(cursor, first)) first = cursor
    }
    return first
  }

  #fill(cursor: Cursor): void {
    if (cursor.isOver) return
    const { rows, documents, descending } = this.#options
    const selection = selectionOf(cursor.source, descending, cursor.entries.at(-1)?.place ?? this.#last)
    const columns = columnsOf(cursor.source, documents && this.#cursors.length === 1)
    const page = selection
      ? rows(`SELECT ${columns} ${selection.text} LIMIT ? + 0`, [...selection.values, this.#page])
      : []
    const { fixed } = cursor.source
    cursor.entries = page.map(([value, id, document]) => ({ place: [fixed ?? value, id], document }))
    cursor.at = 0
    cursor.isOver = page.length < this.#page
    if (this.#cursors.length === 1) this.#page = Math.min(this.#page * 2, PAGE)
  }

  #isBefore(a: Cursor, b: Cursor): boolean {
    const ordered = order(a.entries[a.at]!.place, b.entries[b.at]!.place)
    return this.#options.descending ? ordered > 0 : ordered < 0
  }
}

const order = (a: Place, b: Place): number => compare(a[0], b[0]) || compare(a[1], b[1])
