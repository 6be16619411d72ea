import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import { comparePlaces } from './page.ts'
import { place } from './place.ts'
import type { Place } from './source.ts'

/** What of a query says how documents follow each other, and where among them it begins and ends. */
export interface Stretch extends Pick<Query, 'sort'> {
  readonly behind: Place | undefined
  readonly limit: number
}

const directed =
  ({ sort }: Pick<Query, 'sort'>) =>
  (a: Place, b: Place): number =>
    sort?.descending ? comparePlaces(b, a) : comparePlaces(a, b)

/** Some documents in the wanted order, as far as they lie in the stretch. */
export const inOrder = (documents: readonly Document[], { sort, behind, limit }: Stretch): Document[] => {
  const order = directed({ sort })
  const placed = documents.map((document) => ({ document, at: place(document, sort?.by) }))
  const rest = behind ? placed.filter(({ at }) => order(at, behind) > 0) : placed
  return rest
    .sort((a, b) => order(a.at, b.at))
    .slice(0, limit)
    .map(({ document }) => document)
}

/** Those of the documents that come into a page which was found without them: where it is full, what lies behind its end does not. */
export const entering = (
  documents: Iterable<Document>,
  page: readonly Document[],
  { sort, behind, limit }: Stretch,
): Document[] => {
  const order = directed({ sort })
  const last = page.length >= limit ? place(page.at(-1)!, sort?.by) : undefined
  const within: Document[] = []
  for (const document of documents) {
    const at = place(document, sort?.by)
    if (!(last && order(at, last) > 0) && !(behind && order(at, behind) <= 0)) within.push(document)
  }
  return within
}
