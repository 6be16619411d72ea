import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { comparePlaces } from './page.ts'
import { place } from './place.ts'
import type { SortKey } from './source.ts'

/** What of a query says how documents follow each other, and where among them it begins and ends. */
export interface Stretch extends Pick<Query, 'sort'> {
  readonly behind: SortKey | undefined
  readonly limit: number
}

/** Something that stands at a place. */
export interface Placed<T> {
  readonly at: SortKey
  readonly item: T
}

const directed =
  ({ sort }: Pick<Query, 'sort'>) =>
  (a: SortKey, b: SortKey): number =>
    sort?.descending ? comparePlaces(b, a) : comparePlaces(a, b)

/** Documents with the places at which they stand. */
export const placed = (documents: readonly Document[], { sort }: Pick<Query, 'sort'>): Placed<Document>[] =>
  documents.map((item) => ({ at: place(item, sort?.by), item }))

/** What lies in the stretch, in the wanted order. */
export const inOrder = <T>(some: readonly Placed<T>[], { sort, behind, limit }: Stretch): T[] => {
  const order = directed({ sort })
  const rest = behind ? some.filter(({ at }) => order(at, behind) > 0) : [...some]
  return rest
    .sort((a, b) => order(a.at, b.at))
    .slice(0, limit)
    .map(({ item }) => item)
}

/** Those of some documents that come into a page which was found without them: where it is full, what lies behind its end does not. */
export const entering = (
  documents: Iterable<Document>,
  page: readonly Placed<unknown>[],
  { sort, behind, limit }: Stretch,
): Placed<Document>[] => {
  const order = directed({ sort })
  const last = page.length >= limit ? page.at(-1)!.at : undefined
  const within: Placed<Document>[] = []
  for (const document of documents) {
    const at = place(document, sort?.by)
    if (!(last && order(at, last) > 0) && !(behind && order(at, behind) <= 0)) within.push({ at, item: document })
  }
  return within
}
