import { spawn } from 'node:child_process'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { FAILED } from './reporter.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0, failures: [] }

export const sum = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  failures: [...one.failures, ...other.failures],
})

/** What a run closes with: the names of what failed, and one line that counts. */
export const closing = ({ passed, failed, skipped, failures }: Counts): string =>
  `\n${failures.map((failure) => `${failure}\n`).join('')}${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}\n`

interface HowToRun {
  /** The Node.js that runs them. */
  readonly under?: string
  /** Flags of mocha beside those of its configuration. */
  readonly flags?: readonly string[]
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
}

const MOCHA = path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'bin', 'mocha.js')
const CLOSING = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/

/** Runs suites in a process of their own; one that ends without counting has failed. */
export const runGroup = (specs: readonly string[], how: HowToRun = {}): Promise<Counts> =>
  new Promise((resolve) => {
    const { under = process.execPath, flags = [], env = {} } = how
    const child = spawn(under, [MOCHA, ...flags, ...specs], {
      stdio: ['ignore', 'pipe', 'inherit'],
      env: { ...process.env, ...env },
    })
    const end = () => void child.kill()
    process.once('exit', end)
    const failures: string[] = []
    let last = ''
    child.stdout.pipe(process.stdout, { end: false })
    createInterface({ input: child.stdout }).on('line', (line) => {
      if (line.startsWith(FAILED)) failures.push(line)
      if (line !== '') last = line
    })
    child.once('close', (code, signal) => {
      process.off('exit', end)
      const counted = CLOSING.exec(last)
      const [passed = 0, failed = 1, skipped = 0] = counted?.slice(1).map((text) => Number(text ?? 0)) ?? []
      const isOdd = !counted || (failed === 0 && code !== 0)
      if (isOdd) failures.push(`${FAILED}the suites ${specs.join(' ')} ended by ${signal ?? `exit code ${code}`}`)
      resolve({ passed, failed: isOdd ? Math.max(1, failed) : failed, skipped, failures })
    })
  })
