import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { comparePlaces } from './page.ts'
import { place } from './place.ts'
import type { SortKey } from './source.ts'

/** Order of a query, and the stretch to return: the first `limit` documents behind `behind`. */
export interface Stretch extends Pick<Query, 'sort'> {
  readonly behind: SortKey | undefined
  readonly limit: number
}

/** Item with its sort key. */
export interface Placed<T> {
  readonly at: SortKey
  readonly item: T
}

const comparatorOf =
  ({ sort }: Pick<Query, 'sort'>) =>
  (a: SortKey, b: SortKey): number =>
    sort?.descending ? comparePlaces(b, a) : comparePlaces(a, b)

/** Pairs documents with their sort keys. */
export const placed = (documents: readonly Document[], { sort }: Pick<Query, 'sort'>): Placed<Document>[] =>
  documents.map((item) => ({ at: place(item, sort?.by), item }))

/** Returns the items in the stretch, in its order. */
export const inOrder = <T>(items: readonly Placed<T>[], { sort, behind, limit }: Stretch): T[] => {
  const order = comparatorOf({ sort })
  const rest = behind ? items.filter(({ at }) => order(at, behind) > 0) : [...items]
  return rest
    .sort((a, b) => order(a.at, b.at))
    .slice(0, limit)
    .map(({ item }) => item)
}

/** Returns the documents that belong in a page that was found without them. If the page is full, those behind its end do not. */
export const entering = (
  documents: Iterable<Document>,
  page: readonly Placed<unknown>[],
  { sort, behind, limit }: Stretch,
): Placed<Document>[] => {
  const order = comparatorOf({ sort })
  const last = page.length >= limit ? page.at(-1)!.at : undefined
  const within: Placed<Document>[] = []
  for (const document of documents) {
    const at = place(document, sort?.by)
    if (!(last && order(at, last) > 0) && !(behind && order(at, behind) <= 0)) within.push({ at, item: document })
  }
  return within
}
