import { compare } from './encoding.ts'
import { type Selection, type SortKey, type Source, selectionOf } from './source.ts'
import type { Table } from './table.ts'

/** A row of a page: where it stands, and its document. */
export type PageRow = readonly [...SortKey, document: string]

/** Parts of one statement. SQLite takes some hundreds. */
export const MOST_PARTS = 100

/**
 * The statement for the next rows of some sources in one order, each document once; `undefined` where nothing can stand there.
 *
 * @param whole whether with the documents, or the places alone
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
  const deps = sources.flatMap((source) => partOf(source, descending, after) ?? [])
  const [first] = deps
  if (!first) return undefined
  if (sources.length === 1)
    return {
      text: `SELECT ${first.columns}${whole ? ', document' : ''} ${first.text} LIMIT ? + 0`,
      values: [...first.values, limit],
    }
  // Statements are kept by their text: a union with more of the same is the same, and there are fewer texts.
  while ((deps.length & (deps.length - 1)) > 0) deps.push(first)
  const union = deps.map(({ columns, text }) => `SELECT * FROM (SELECT ${columns} ${text} LIMIT ? + 0)`)
  const order = `ORDER BY page.place${descending ? ' DESC' : ''}, page.id${descending ? ' DESC' : ''}`
  const documents = whole ? `CROSS JOIN ${table.sql} whole ON whole.id = page.id` : ''
  return {
    text: `SELECT page.place, page.id${whole ? ', document' : ''} FROM (${union.join(' UNION ')}) page ${documents} ${order} LIMIT ? + 0`,
    values: [...deps.flatMap(({ values }) => [...values, limit]), limit],
  }
}

/** The statement that counts the documents in some sources, each once, no further than a number that is its last value. */
export const countOf = (sources: readonly Source[], atMost: number): Selection => {
  const deps = sources.flatMap((source) => selectionOf(source, false, undefined) ?? [])
  const union = deps.map(({ text }) => `SELECT * FROM (SELECT id ${text})`)
  return {
    text: `SELECT count(*) FROM (${union.join(' UNION ')} LIMIT ? + 0)`,
    values: [...deps.flatMap(({ values }) => values), atMost],
  }
}

/** Rows of several pages as one page. */
export const merged = <Row extends readonly [...SortKey, ...unknown[]]>(
  pages: readonly (readonly Row[])[],
  descending: boolean,
  limit: number,
): Row[] => {
  const order = (a: Row, b: Row) => comparePlaces(a, b) * (descending ? -1 : 1)
  const rows = pages.flat().sort(order)
  return rows.filter((row, n) => n === 0 || order(rows[n - 1]!, row) !== 0).slice(0, limit)
}

export const comparePlaces = (a: readonly [...SortKey, ...unknown[]], b: readonly [...SortKey, ...unknown[]]): number =>
  compare(a[0], b[0]) || compare(a[1], b[1])

/** Where rows stand by their id alone, the sort value is that of all of them. */
const partOf = (source: Source, descending: boolean, after: SortKey | undefined) => {
  const { column, fixed } = source
  const selection = selectionOf(source, descending, after)
  if (!selection) return undefined
  return fixed === undefined
    ? { columns: `${column} AS place, id`, ...selection }
    : { columns: '? AS place, id', text: selection.text, values: [fixed, ...selection.values] }
}
