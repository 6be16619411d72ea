import type { Blobs } from '../../domain/kernel/ports/blobs.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import { csvLine } from '../../domain/resources/jobs/csv.ts'
import { nextPart, parseRow } from '../../domain/resources/jobs/target-file.ts'

/** Dependencies for rendering a file. */
export interface Rows {
  readonly blobs: Pick<Blobs, 'read'>
  readonly vault: Pick<Vault, 'open'>
}

/** Begins a file. Without it, spreadsheets read UTF-8 in the encoding of their country. */
const BYTE_ORDER_MARK = '\ufeff'

/** Yields the lines of a text that comes in pieces, all lines of a piece together. Each line ends with a line break. */
async function* linesIn(pieces: AsyncIterable<Uint8Array>): AsyncGenerator<readonly string[]> {
  const decoder = new TextDecoder()
  let rest = ''
  for await (const piece of pieces) {
    const lines = (rest + decoder.decode(piece, { stream: true })).split('\n')
    rest = lines.pop()!
    if (lines.length > 0) yield lines
  }
}

/** Returns a row as a line; an empty text when its person has been erased since. */
const rendered = async ({ vault }: Rows, line: string): Promise<string> => {
  const { person, sealed } = parseRow(line)
  const opened = await vault.open(person, sealed)
  return opened && Array.isArray(opened.row) ? csvLine(opened.row) : ''
}

/**
 * Yields a file that a job has made, as CSV in pieces. A person who is erased during the download may still be in it.
 *
 * @param name name of the blob
 * @throws {Error} when a part is missing. The pieces so far are then not the whole file
 */
export async function* csvOf(rows: Rows, name: string, header: readonly string[]): AsyncGenerator<string> {
  yield BYTE_ORDER_MARK + csvLine(header)
  for (let part = 0; ; ) {
    let next: number | undefined
    for await (const lines of linesIn(rows.blobs.read(name, part))) {
      const sealed = next === undefined ? lines.slice(1) : lines
      next ??= nextPart(lines[0]!)
      yield (await Promise.all(sealed.map((line) => rendered(rows, line)))).join('')
    }
    if (next === 0) return
    if (!next || next <= part) throw new Error(`part ${part} of ${name} does not say how it goes on`)
    part = next
  }
}
