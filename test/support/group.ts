import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { createRequire } from 'node:module'
import path from 'node:path'
import { createInterface } from 'node:readline'
import { setTimeout } from 'node:timers/promises'
import { CLOSED, FAILED, type FileCounts, SKIPPED } from './reporter.ts'
import type { TimeLeft } from './time-left.ts'

export interface Counts {
  readonly passed: number
  readonly failed: number
  readonly skipped: number
  readonly failures: readonly string[]
  /** What was skipped, and why where that is said. */
  readonly skips: readonly string[]
}

export const NOTHING: Counts = { passed: 0, failed: 0, skipped: 0, failures: [], skips: [] }

export const sum = (one: Counts, other: Counts): Counts => ({
  passed: one.passed + other.passed,
  failed: one.failed + other.failed,
  skipped: one.skipped + other.skipped,
  failures: [...one.failures, ...other.failures],
  skips: [...new Set([...one.skips, ...other.skips])],
})

const counted = ({ passed, failed, skipped }: Omit<FileCounts, 'file'>): string =>
  `${passed} passed, ${failed} failed${skipped ? `, ${skipped} skipped` : ''}`

/** What a run closes with: the names of what was skipped and of what failed, and one line that counts. */
export const closing = (counts: Counts): string =>
  `\n${[...counts.skips, ...counts.failures].map((name) => `${name}\n`).join('')}${counted(counts)}\n`

interface HowToRun {
  /** The Node.js that runs them. */
  readonly under?: string
  /** Flags of mocha beside those of its configuration. */
  readonly flags?: readonly string[]
  /** Variables beside those of this process. */
  readonly env?: Readonly<Record<string, string>>
  /** Shows all that a file prints, not only where something failed in it. */
  readonly verbose?: boolean
  /** What groups that run side by side are part of. */
  readonly progress?: Progress
}

/** How many files there are, and how many are done. */
export interface Progress {
  readonly files: number
  done: number
  readonly left?: TimeLeft
}

/** What `bin/mocha.js` starts in a second process, with the same flag of Node.js, where the configuration has one. */
const MOCHA = path.join(path.dirname(createRequire(import.meta.url).resolve('mocha/package.json')), 'lib/cli/cli.js')
const TESTS = path.join(import.meta.dirname, '..')
const CLOSING = /(\d+) passed, (\d+) failed(?:, (\d+) skipped)?\s*$/

/** Takes what a group prints, line by line, and shows it file by file. */
class Shown {
  readonly failures: string[] = []
  readonly skips: string[] = []
  /** The files that are done, and what came of them together. */
  readonly closed: FileCounts[] = []
  last = ''
  private lines: string[] = []
  private begun = performance.now()
  private readonly progress: Progress
  private readonly verbose: boolean

  constructor(progress: Progress, verbose: boolean) {
    this.progress = progress
    this.verbose = verbose
  }

  /** Takes a line of the errors, which counts for nothing. */
  takeError(line: string): void {
    this.lines.push(line)
  }

  take(line: string): void {
    const text = line.trim()
    if (text.startsWith(CLOSED)) {
      this.close(JSON.parse(text.slice(CLOSED.length)) as FileCounts)
      return
    }
    this.lines.push(line)
    if (text !== '') this.last = text
    if (text.startsWith(FAILED)) this.failures.push(text)
    if (text.startsWith(SKIPPED)) this.skips.push(text)
  }

  /** Shows what no file has closed: all that there is to go by when the process ends early. */
  showRest(failure: string): void {
    this.failures.push(failure)
    process.stdout.write([...this.lines, failure, ''].join('\n'))
  }

  private close(counts: FileCounts): void {
    const { progress } = this
    const now = performance.now()
    const seconds = ((now - this.begun) / 1000).toFixed(1)
    const place = `[${++progress.done}/${progress.files}]`
    const { passed, failed, skipped } = counts
    const outcome = `${passed} passed${failed ? `, ${failed} failed` : ''}${skipped ? `, ${skipped} skipped` : ''}`
    const printed = failed > 0 || this.verbose ? [...this.lines, ''] : []
    const file = path.relative(TESTS, counts.file)
    const left = progress.left?.note(file, Number(seconds))
    const line = `${place} ${file}  ${outcome}  ${seconds} s${left ? `, ${left}` : ''}`
    const alone = failed > 0 ? [`alone: node dist/test/support/run.js --verbose ${file}`] : []
    process.stdout.write([...printed, line, ...alone, ''].join('\n'))
    this.closed.push(counts)
    this.lines = []
    this.begun = now
  }
}

/** A process that a killed test left behind may hold on to the stream of the errors: it is not waited for longer. */
const aMoment = () => setTimeout(1000, undefined, { ref: false })

/** What came of a process that has ended, and how: one that has not counted has failed. */
const countsOf = (shown: Shown, specs: readonly string[], code: number | null, signal: string | null): Counts => {
  const { closed, failures, skips } = shown
  const counts = CLOSING.exec(shown.last)?.slice(1)
  if (counts && (code === 0 || counts[1] !== '0')) {
    const [passed = 0, failed = 0, skipped = 0] = counts.map((text) => Number(text ?? 0))
    return { passed, failed, skipped, failures, skips }
  }
  const open = specs.filter((spec) => !closed.some(({ file }) => file === spec))
  const names = open.map((file) => path.relative(TESTS, file)).join(' ')
  shown.showRest(`${FAILED}the process of ${names} ended by ${signal ?? `exit code ${code}`}`)
  const all = (name: 'passed' | 'failed' | 'skipped') => closed.reduce((count, file) => count + file[name], 0)
  return { passed: all('passed'), failed: all('failed') + 1, skipped: all('skipped'), failures, skips }
}

/** Runs suites in a process of their own; one that ends without counting has failed. */
export const runGroup = (specs: readonly string[], how: HowToRun = {}): Promise<Counts> =>
  new Promise((resolve) => {
    const { under = process.execPath, flags = [], env = {}, verbose = false } = how
    const child = spawn(under, ['--enable-source-maps', MOCHA, '--reporter-option', 'files', ...flags, ...specs], {
      stdio: ['ignore', 'pipe', 'pipe'],
      env: { ...process.env, ...env },
    })
    const end = () => void child.kill()
    process.once('exit', end)
    const shown = new Shown(how.progress ?? { files: specs.length, done: 0 }, verbose)
    const printed = createInterface({ input: child.stdout }).on('line', (line) => shown.take(line))
    const errors = createInterface({ input: child.stderr }).on('line', (line) => shown.takeError(line))
    const closed = [once(printed, 'close'), Promise.race([once(errors, 'close'), once(child, 'exit').then(aMoment)])]
    child.once('exit', async (code, signal) => {
      process.off('exit', end)
      await Promise.all(closed)
      child.stderr.destroy()
      resolve(countsOf(shown, specs, code, signal))
    })
  })
