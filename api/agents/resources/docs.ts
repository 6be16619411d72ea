import { readdir, readFile } from 'node:fs/promises'
import path from 'node:path'
import { refuse } from '../../../domain/kernel/values/refusal.ts'

/** The documentation that comes with the program. */
const FOLDER = path.join(import.meta.dirname, '../../../../docs')

/** Pages for people who change the program, of no use to those who use it. */
const OF_THE_HOUSE: ReadonlySet<string> = new Set([
  'adding-a-resource',
  'architecture',
  'benchmarks',
  'internals',
  'reliability',
])

/** Returns the names of the pages of the documentation. */
export const docNames = async (): Promise<readonly string[]> => {
  const files = await readdir(FOLDER).catch(() => [])
  return files
    .flatMap((file) => (file.endsWith('.md') ? [file.slice(0, -3)] : []))
    .filter((name) => !OF_THE_HOUSE.has(name))
    .sort()
}

/** Returns a page of the documentation. @throws {Refusal} not found */
export const docText = async (name: string): Promise<string> => {
  if (!(await docNames()).includes(name)) throw refuse.notFound('There is no page of this name')
  return readFile(path.join(FOLDER, `${name}.md`), 'utf8')
}
