import type { CollectionSpec, Index } from '../../../domain/kernel/ports/read-models.ts'
import { MOST_COLUMNS } from './key-buffer.ts'

export interface CatalogedIndex extends Index {
  /** Begins its entries. */
  readonly number: number
  /** Whether any document ever had several entries in it. */
  readonly multivalued: boolean
}

/** Which indexes a generation maintains, by collection. */
export interface Catalog {
  readonly [collection: string]: readonly CatalogedIndex[]
}

/**
 * The catalog of a generation opened with these declarations. It keeps the indexes that it was built with, since entries exist
 * only for those; a new collection is added, and so are new indexes of a collection that is still empty.
 * @throws {Error} for an index over too many fields.
 */
export function catalogOf(
  stored: Catalog,
  declared: readonly CollectionSpec[],
  isEmpty: (name: string) => boolean,
): Catalog {
  let next = Math.max(0, ...Object.values(stored).flatMap((indexes) => indexes.map((index) => index.number + 1)))
  const catalog: { [collection: string]: readonly CatalogedIndex[] } = { ...stored }
  for (const { name, indexes } of declared) {
    const known = stored[name] ?? []
    const added = indexes.filter((index) => !known.some((other) => same(index, other)))
    for (const index of added) checkIndex(name, index)
    const maintained = added.length > 0 && (!stored[name] || isEmpty(name)) ? added : []
    catalog[name] = [...known, ...maintained.map((index) => ({ ...index, number: next++, multivalued: false }))]
  }
  return catalog
}

function same(a: Index, b: Index): boolean {
  return a.sort === b.sort && a.fields.join() === b.fields.join()
}

function checkIndex(collection: string, index: Index): void {
  if (index.fields.length + (index.sort === undefined ? 0 : 1) <= MOST_COLUMNS) return
  throw new Error(`${collection}: an index has more than ${MOST_COLUMNS} fields: ${JSON.stringify(index)}`)
}
