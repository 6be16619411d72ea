import { compare } from './encoding.ts'
import { type Selection, type SortKey, type Source, selectionOf } from './source.ts'
import type { Table } from './table.ts'

/** Row of a page: its sort key, then its document. */
export type PageRow = readonly [...SortKey, document: string]

/** Highest number of sources in one statement. SQLite takes some hundreds. */
export const MAX_SOURCES = 100

/**
 * Builds the statement for the next rows of some sources in one order, each document once. `undefined` where there can be none.
 *
 * @param whole whether to read the documents as well, not only the sort keys
 * @param sources at most `MOST_PARTS`
 */
export const pageOf = (
  table: Table,
  sources: readonly Source[],
  descending: boolean,
  after: SortKey | undefined,
  limit: number,
  whole: boolean,
): Selection | undefined => {
  const selections = sources.flatMap((source) => selectionWithKey(source, descending, after) ?? [])
  const [first] = selections
  if (!first) return undefined
  if (sources.length === 1)
    return {
      text: `SELECT ${first.columns}${whole ? ', document' : ''} ${first.text} LIMIT ? + 0`,
      values: [...first.values, limit],
    }
  // Statements are cached by their text. Repeats up to a power of two do not change a union, and limit the number of texts.
  while ((selections.length & (selections.length - 1)) > 0) selections.push(first)
  const union = selections.map(({ columns, text }) => `SELECT * FROM (SELECT ${columns} ${text} LIMIT ? + 0)`)
  const order = `ORDER BY page.place${descending ? ' DESC' : ''}, page.id${descending ? ' DESC' : ''}`
  const documents = whole ? `CROSS JOIN ${table.sql} whole ON whole.id = page.id` : ''
  return {
    text: `SELECT page.place, page.id${whole ? ', document' : ''} FROM (${union.join(' UNION ')}) page ${documents} ${order} LIMIT ? + 0`,
    values: [...selections.flatMap(({ values }) => [...values, limit]), limit],
  }
}

/** Builds the statement that counts the documents in some sources, each once, up to `atMost`. */
export const countOf = (sources: readonly Source[], atMost: number): Selection => {
  const selections = sources.flatMap((source) => selectionOf(source, false, undefined) ?? [])
  const union = selections.map(({ text }) => `SELECT * FROM (SELECT id ${text})`)
  return {
    text: `SELECT count(*) FROM (${union.join(' UNION ')} LIMIT ? + 0)`,
    values: [...selections.flatMap(({ values }) => values), atMost],
  }
}

/** Merges several pages into one, with each row once. */
export const merged = <Row extends readonly [...SortKey, ...unknown[]]>(
  pages: readonly (readonly Row[])[],
  descending: boolean,
  limit: number,
): Row[] => {
  const order = (a: Row, b: Row) => compareSortKeys(a, b) * (descending ? -1 : 1)
  const rows = pages.flat().sort(order)
  return rows.filter((row, n) => n === 0 || order(rows[n - 1]!, row) !== 0).slice(0, limit)
}

export const compareSortKeys = (
  a: readonly [...SortKey, ...unknown[]],
  b: readonly [...SortKey, ...unknown[]],
): number => compare(a[0], b[0]) || compare(a[1], b[1])

/** Adds the sort key to the selection of a source. Rows ordered by id alone share one sort value. */
const selectionWithKey = (source: Source, descending: boolean, after: SortKey | undefined) => {
  const { column, fixed } = source
  const selection = selectionOf(source, descending, after)
  if (!selection) return undefined
  return fixed === undefined
    ? { columns: `${column} AS place, id`, ...selection }
    : { columns: '? AS place, id', text: selection.text, values: [fixed, ...selection.values] }
}
