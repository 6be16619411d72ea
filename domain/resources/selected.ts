import type { Documents } from '../kernel/decide/command.ts'
import type { Document, Query } from '../kernel/ports/read-models.ts'
import type { Selection } from './operation.ts'

/** Records of other collections that are read together. */
const AT_ONCE = 200

type Through = NonNullable<Selection['through']>

/** Reads documents in ascending order of ids, each once, that records of another collection lead to. */
const findThrough = async (
  read: Documents,
  name: string,
  { where, after, limit = Number.POSITIVE_INFINITY }: Query,
  { collection, by, ids, to }: Through,
): Promise<Document[]> => {
  const found: Document[] = []
  for (let last = typeof after === 'object' ? after.id : (after ?? 0); ; ) {
    const leading = await read.find(collection, {
      where: { [by]: ids.length === 1 ? ids[0]! : { $in: ids }, [to]: { $gt: last } },
      sort: { by: to },
      limit: AT_ONCE,
    })
    const named = [...new Set(leading.map((one) => Number(one[to])))]
    if (named.length > 0) found.push(...(await read.find(name, { where: { ...where, id: { $in: named } } })))
    if (leading.length < AT_ONCE || found.length >= limit) return found.slice(0, limit)
    last = named.at(-1) ?? last
  }
}

const isById = ({ where, sort }: Query): boolean =>
  where.id === undefined && (sort === undefined || (sort.by === 'id' && sort.descending !== true))

/** Returns whether a query reads its documents through records of another collection, and so in the order of ids. */
export const goesThrough = ({ through }: Pick<Selection, 'through'>, query: Query): boolean =>
  through !== undefined && isById(query)

/** Reads the documents of a query that may belong to a selection, with the index that leads to the fewest. */
export const findSelected = async (
  read: Documents,
  name: string,
  query: Query,
  { through }: Pick<Selection, 'through'>,
): Promise<Document[]> => (through && isById(query) ? findThrough(read, name, query, through) : read.find(name, query))

/** Returns opened documents with what the test of a selection needs to know from other records. */
export const completed = async (
  documents: readonly Document[],
  { lookUp }: Pick<Selection, 'lookUp'>,
  read: Documents,
): Promise<readonly Document[]> => (lookUp && documents.length > 0 ? lookUp(documents, read) : documents)
