import { spawn } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { parseArgs } from 'node:util'
import { FAILED } from './reporter.ts'

/**
 * Runs the suites, one process a group, and closes with the names of what failed and one line that counts them all. With arguments only those whose path begins with one of
 * them; with `--under PROGRAM` in another Node.js. A process of its own keeps what native code
 * leaves behind in one group (maps of closed databases, above all) from another.
 */
const GROUPS: readonly (readonly string[])[] = [
  ['kernel/', 'domain/', 'contract/', 'projections/', 'docs/'],
  ['api/', 'workers/', 'examples/'],
  ['cli/'],
  ['infra/sqlite-', 'infra/key-halves', 'infra/data-directory'],
  ['infra/eventstoredb-'],
  ['infra/mongodb-'],
  ['reliability/'],
  ['e2e/'],
  // Whatever no other group has.
  [''],
]

const { values: flags, positionals } = parseArgs({
  options: { under: { type: 'string', default: process.execPath } },
  allowPositionals: true,
})

const TESTS = path.join(import.meta.dirname, '..')

/** Every suite once, in the first group that names the beginning of its path. */
const suitesByGroup = (): readonly (readonly string[])[] => {
  let left = readdirSync(TESTS, { recursive: true, encoding: 'utf8' }).filter((file) => file.endsWith('.spec.js'))
  return (positionals.length > 0 ? [positionals] : GROUPS)
    .map((beginnings) => {
      const belongs = (file: string) => beginnings.some((beginning) => file.startsWith(beginning))
      const group = left.filter(belongs).sort()
      left = left.filter((file) => !belongs(file))
      return group.map((file) => path.join(TESTS, file))
    })
    .filter((group) => group.length > 0)
}

interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
}

const MOCHA = path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js')
const CLOSING = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/

/** Counts of one group; a process that ends without counting has failed. */
const runGroup = (specs: readonly string[]): Promise<Counts> =>
  new Promise((resolve) => {
    const child = spawn(flags.under, [MOCHA, ...specs], { stdio: ['ignore', 'pipe', 'inherit'] })
    const failures: string[] = []
    let last = ''
    child.stdout.pipe(process.stdout, { end: false })
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith(FAILED)) failures.push(line)
      if (line !== '') last = line
    })
    child.once('close', (code, signal) => {
      const counted = CLOSING.exec(last)
      const [passed = 0, failed = 1, skipped = 0] = counted?.slice(1).map((text) => Number(text ?? 0)) ?? []
      const isOdd = !counted || (failed === 0 && code !== 0)
      if (isOdd) failures.push(`${FAILED}the suites ${specs.join(' ')} ended by ${signal ?? `exit code ${code}`}`)
      resolve({ passed, failed: isOdd ? Math.max(1, failed) : failed, skipped, failures })
    })
  })

let total: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }
for (const specs of suitesByGroup()) {
  const { passed, failed, skipped, failures } = await runGroup(specs)
  total = {
    passed: total.passed + passed,
    failed: total.failed + failed,
    skipped: total.skipped + skipped,
    failures: [...total.failures, ...failures],
  }
}
process.stdout.write(
  `\n${total.failures.map((failure) => `${failure}\n`).join('')}${total.passed} passed, ${total.failed} failed${total.skipped ? `, ${total.skipped} skipped` : ''}\n`,
)
process.exit(total.failed === 0 ? 0 : 1)
