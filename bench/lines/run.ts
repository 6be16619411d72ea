import { readdirSync, readFileSync } from 'node:fs'
import path from 'node:path'
import { resources } from '../../domain/index.ts'
import { ROOT } from '../places.ts'
import { type Measured, measure } from './measure.ts'

/** Algorithms rather than business rules: counted apart from the families that use them. */
const ALGORITHMS = [
  'filters/criteria/',
  'filters/language/',
  'pages/markup/',
  'funnels/funnel/structure.ts',
  'funnels/funnel/tree-events.ts',
  'funnels/funnel/tree.ts',
]
const MACHINERY = ['kernel', 'resources']
const LONGEST = 250

interface Source extends Measured {
  /** Path below domain/. */
  readonly file: string
  readonly length: number
}

const DOMAIN = path.join(ROOT, 'domain')

const sources: readonly Source[] = readdirSync(DOMAIN, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.ts'))
  .sort()
  .map((file) => {
    const text = readFileSync(path.join(DOMAIN, file), 'utf8')
    return { file, length: text.trimEnd().split('\n').length, ...measure(text) }
  })

const isAlgorithm = ({ file }: Source): boolean => ALGORITHMS.some((beginning) => file.startsWith(beginning))
const folderOf = ({ file }: Source): string => (file.includes('/') ? file.split('/')[0]! : '')

const operationIds = resources.flatMap(({ operations }) => Object.keys(operations))

/** Returns the name by which one call of `crud` declares an operation and its like. */
const crudOf = (id: string): string => id.replace(/^(?:list|create|get|update|remove)/, '')

/** Number of operations whose ids, or names for `crud`, occur in the sources. */
const operationsIn = (some: readonly Source[]): number =>
  operationIds.filter((id) => some.some(({ words }) => words.has(id) || words.has(crudOf(id)))).length

const sum = (some: readonly Source[], of: 'lines' | 'tokens' | 'casts'): number =>
  some.reduce((total, one) => total + one[of], 0)

const per = (amount: number, operations: number): string => (operations === 0 ? '' : (amount / operations).toFixed(1))

const row = (name: string, some: readonly Source[], operations = 0): readonly string[] => {
  const [lines, tokens] = [sum(some, 'lines'), sum(some, 'tokens')]
  const counted = [some.length, lines, tokens, sum(some, 'casts'), operations || ''].map(String)
  return [name, ...counted, per(lines, operations), per(tokens, operations)]
}

const print = (rows: readonly (readonly string[])[]): void => {
  const widths = rows[0]!.map((_, column) => Math.max(...rows.map((cells) => cells[column]!.length)))
  for (const cells of rows) {
    const padded = cells.map((cell, at) => (at === 0 ? cell.padEnd(widths[at]!) : cell.padStart(widths[at]!)))
    console.log(padded.join('  ').trimEnd())
  }
}

const folders = [...new Set(sources.map(folderOf))].filter((folder) => folder !== '')
const families = folders.filter((folder) => !MACHINERY.includes(folder))
const business = sources.filter((one) => families.includes(folderOf(one)) && !isAlgorithm(one))

print([
  ['', 'files', 'lines', 'tokens', 'casts', 'operations', 'lines each', 'tokens each'],
  ...families.map((family) => {
    const own = business.filter((one) => folderOf(one) === family)
    return row(family, own, operationsIn(own))
  }),
  row('all families', business, operationIds.length),
  ...ALGORITHMS.map((beginning) =>
    row(
      beginning,
      sources.filter(({ file }) => file.startsWith(beginning)),
    ),
  ),
  ...MACHINERY.map((folder) =>
    row(
      folder,
      sources.filter((one) => folderOf(one) === folder),
    ),
  ),
  row('domain in all', sources, operationIds.length),
])

const list = (title: string, lines: readonly string[]): void =>
  console.log(
    `\n${title}: ${lines.length === 0 ? 'none' : ''}\n${lines.map((line) => `  ${line}\n`).join('')}`.trimEnd(),
  )

list(
  'casts',
  sources.filter(({ casts }) => casts > 0).map(({ file, casts }) => `${String(casts).padStart(3)}  ${file}`),
)
list(
  `files of more than ${LONGEST} lines`,
  sources.filter(({ length }) => length > LONGEST).map(({ file, length }) => `${length}  ${file}`),
)
