import { execFileSync } from 'node:child_process'

const READ =
  'import csv, io, json, sys; print(json.dumps(list(csv.reader(io.TextIOWrapper(sys.stdin.buffer, "utf-8", newline="")))))'

const isThere = (): boolean => {
  try {
    return execFileSync('python3', ['--version'], { encoding: 'utf8', stdio: 'pipe' }).startsWith('Python 3')
  } catch {
    return false
  }
}

/** The reason why Python's CSV reader cannot be used here; `undefined` when it can. */
export const noPython = isThere() ? undefined : 'there is no Python 3 on this machine'

/** The records of a CSV file, as Python reads them. */
export const readByPython = (text: string): string[][] =>
  JSON.parse(execFileSync('python3', ['-c', READ], { input: text, encoding: 'utf8' })) as string[][]
