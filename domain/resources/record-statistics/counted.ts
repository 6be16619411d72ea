import type { Document, Where } from '../../kernel/ports/read-models.ts'
import type { Json } from '../../kernel/values/event.ts'
import type { Category } from '../../kernel/values/scopes.ts'
import type { Filter, Selector } from '../operation.ts'
import type { ReadInput } from '../read-operation.ts'

/** One resource whose records can be counted. */
export interface Counted {
  /** Collection of its documents. */
  readonly collection: string
  /** Category of the scope that a token needs. */
  readonly category: Category
  /** Conditions with which an index finds the records of a workspace, besides the workspace. */
  readonly where?: Where
  /** Whether a document is one of its records. */
  isRecord?(document: Document): boolean
  readonly filters: Readonly<Record<string, Filter>>
  readonly select: Selector
  /** Properties by whose values records can be counted. */
  readonly countBy: Readonly<Record<string, (document: Document) => Json>>
  /** Amounts that can be summed up, as decimals; `null` where a record has none. All records are in `currencyOf`. */
  readonly sum?: Readonly<Record<string, Summed>>
  currencyOf?(document: Document): string
}

/** Returns the amounts of some records, in their order. */
export type Summed = (documents: readonly Document[], read: ReadInput['read']) => Promise<readonly (string | null)[]>

/** Statistics that a request asks for. */
export interface Wanted {
  readonly count: boolean
  readonly countBy?: string
  readonly createdAtRange: boolean
  readonly sum?: string
}
