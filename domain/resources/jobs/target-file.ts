import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json } from '../../kernel/values/event.ts'
import type { Refusal } from '../../kernel/values/refusal.ts'

/** A file with a row for each target, for download: what a job makes instead of doing something to them. */
export interface TargetFile {
  /** What its name begins with. */
  readonly name: string
  /** The columns, as people call them. */
  header(job: Document): readonly string[]
  /** What stands in the columns of one target, with its personal part opened, as it is now; or why nothing does. */
  row(job: Document, target: Document): readonly Json[] | Refusal
}

/** A row as it is kept: sealed under the key of the person that it tells of, so that it is erased with the person. */
export interface SealedRow {
  readonly person: number
  readonly sealed: string
}

/**
 * The rows of one page of a walk as a part of a blob, under the cursor that the page begins behind. It says where the next page begins, so that the
 * parts are a chain from 0 on: a page that is done again replaces its part, and what an interrupted walk has left beside the chain is not read.
 * A stored form.
 *
 * @param next the part that follows; 0: none
 */
export function* partOf(rows: readonly SealedRow[], next: number): Generator<string> {
  yield `${next}\n`
  for (const { person, sealed } of rows) yield `${person} ${sealed}\n`
}

/** Where the part that begins with this line says that it goes on; 0: nowhere. */
export const nextIn = (line: string): number => Number(line)

export const rowIn = (line: string): SealedRow => {
  const space = line.indexOf(' ')
  return { person: Number(line.slice(0, space)), sealed: line.slice(space + 1) }
}
