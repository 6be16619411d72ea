/** Returns the lines of a table, the first row being its headings. */
export const linesOf = (rows: readonly (readonly string[])[]): string => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((row) => row[column]!.length)))
  const spaced = (row: readonly string[]) => row.map((cell, column) => cell.padEnd(widths[column]!)).join('  ')
  return rows.map((row) => `${spaced(row).trimEnd()}\n`).join('')
}

/** Does the same with each of several things, and prints each error. @throws {Error} at the end, if there was any */
export const withEach = async (
  ids: readonly string[],
  act: (id: string) => Promise<unknown>,
  done: string,
): Promise<void> => {
  let refused = 0
  for (const id of ids) {
    try {
      await act(id)
      process.stdout.write(`${id} ${done}\n`)
    } catch (error) {
      refused++
      process.stderr.write(`millrace: ${error instanceof Error ? error.message : String(error)}\n`)
    }
  }
  if (refused > 0) throw new Error(`${refused} of ${ids.length} were left as they are`)
}
