import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { compareSortKeys } from './page.ts'
import { sortKeyOf } from './place.ts'
import type { SortKey } from './source.ts'

/** Order of a query, and the stretch to return: the first `limit` documents behind `behind`. */
export interface PageWindow extends Pick<Query, 'sort'> {
  readonly behind: SortKey | undefined
  readonly limit: number
}

/** Item with its sort key. */
export interface Keyed<T> {
  readonly at: SortKey
  readonly item: T
}

const comparatorOf =
  ({ sort }: Pick<Query, 'sort'>) =>
  (a: SortKey, b: SortKey): number =>
    sort?.descending ? compareSortKeys(b, a) : compareSortKeys(a, b)

/** Pairs documents with their sort keys. */
export const withSortKeys = (documents: readonly Document[], { sort }: Pick<Query, 'sort'>): Keyed<Document>[] =>
  documents.map((item) => ({ at: sortKeyOf(item, sort?.by), item }))

/** Returns the items in the stretch, in its order. */
export const inOrder = <T>(items: readonly Keyed<T>[], { sort, behind, limit }: PageWindow): T[] => {
  const order = comparatorOf({ sort })
  const rest = behind ? items.filter(({ at }) => order(at, behind) > 0) : [...items]
  return rest
    .sort((a, b) => order(a.at, b.at))
    .slice(0, limit)
    .map(({ item }) => item)
}

/** Returns the documents that belong in a page that was found without them. If the page is full, those behind its end do not. */
export const documentsForPage = (
  documents: Iterable<Document>,
  page: readonly Keyed<unknown>[],
  { sort, behind, limit }: PageWindow,
): Keyed<Document>[] => {
  const order = comparatorOf({ sort })
  const last = page.length >= limit ? page.at(-1)!.at : undefined
  const within: Keyed<Document>[] = []
  for (const document of documents) {
    const at = sortKeyOf(document, sort?.by)
    if (!(last && order(at, last) > 0) && !(behind && order(at, behind) <= 0)) within.push({ at, item: document })
  }
  return within
}
