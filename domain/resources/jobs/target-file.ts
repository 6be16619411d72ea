import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'

/** A file for download with a row for each target, which a job makes instead of changing the targets. */
export interface TargetFile {
  /** Beginning of the file name. */
  readonly name: string
  /** Returns the titles of the columns. */
  header(job: Document): readonly string[]
  /** Collection of the persons whom rows are about, and the field of a target with the id. Default: the targets are the persons. */
  readonly person?: { readonly resource: string; readonly field: string }
  /** Returns the cells of a target and its person as they are now, their personal parts opened; or why there is no row. */
  row(job: Document, target: Document, person: Document): readonly Json[] | Refusal
}

/** A row as it is stored. It is sealed under the key of its person, so that it is erased with the person. */
export interface SealedRow {
  readonly person: number
  readonly sealed: string
}

/**
 * Serializes the rows of one page of a batch as a part of a blob. The number of the part is the cursor behind which the page begins. Each part names
 * the next, so the parts form a chain from 0 on. A repeated page replaces its part, and parts that an interrupted run left outside the chain are not
 * read. A stored format.
 *
 * @param next number of the next part; 0 if there is none
 */
export function* serializeRows(rows: readonly SealedRow[], next: number): Generator<string> {
  yield `${next}\n`
  for (const { person, sealed } of rows) yield `${person} ${sealed}\n`
}

/** Returns the number of the next part from the first line of a part; 0 if there is none. */
export const nextPart = (line: string): number => Number(line)

export const parseRow = (line: string): SealedRow => {
  const space = line.indexOf(' ')
  return { person: Number(line.slice(0, space)), sealed: line.slice(space + 1) }
}
