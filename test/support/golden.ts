import { existsSync, mkdirSync, readdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'
import { fileURLToPath } from 'node:url'
import { expect } from 'chai'

const FIXTURES = fileURLToPath(new URL('../../../test/fixtures', import.meta.url))

/** The command that updates golden files and fixtures. */
export const UPDATE = 'UPDATE_GOLDEN=1 npm test'
export const isUpdating = (): boolean => process.env.UPDATE_GOLDEN === '1'

/** Fails when the lines differ from the file below test/fixtures/golden; writes the file when updating. */
export const expectGolden = (name: string, lines: readonly string[]): void => {
  const file = path.join(FIXTURES, 'golden', name)
  if (isUpdating()) {
    mkdirSync(path.dirname(file), { recursive: true })
    writeFileSync(file, `${lines.join('\n')}\n`)
  }
  const golden = existsSync(file) ? readFileSync(file, 'utf8').trimEnd().split('\n') : []
  const gone = golden.filter((line) => !lines.includes(line)).map((line) => `- ${line}`)
  const fresh = lines.filter((line) => !golden.includes(line)).map((line) => `+ ${line}`)
  const remedy = `If that is meant, write it down: ${UPDATE}`
  expect([...gone, ...fresh], `differs from test/fixtures/golden/${name}. ${remedy}\n`).to.deep.equal([])
  expect(lines, `the order differs from test/fixtures/golden/${name}. ${remedy}\n`).to.deep.equal(golden)
}

/** Reads every fixture of a folder, keyed by its path below the folder. */
export const readFixtures = <T>(folder: string): ReadonlyMap<string, T> => {
  const root = path.join(FIXTURES, folder)
  if (!existsSync(root)) return new Map()
  const files = readdirSync(root, { recursive: true, encoding: 'utf8' }).filter((name) => name.endsWith('.json'))
  return new Map(files.sort().map((name) => [name, JSON.parse(readFileSync(path.join(root, name), 'utf8')) as T]))
}

/** Writes a fixture unless it exists: an existing one is history and never changes. */
export const writeFixture = (folder: string, name: string, value: unknown): void => {
  const file = path.join(FIXTURES, folder, name)
  if (existsSync(file)) return
  mkdirSync(path.dirname(file), { recursive: true })
  writeFileSync(file, `${JSON.stringify(value, null, 2)}\n`)
}
