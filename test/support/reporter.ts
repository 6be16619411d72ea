import { config } from 'chai'
import mocha from 'mocha'

/** How the line of a test that failed begins. */
export const FAILED = 'failed: '
/** How the line of a test that was skipped begins, and that of a suite that says why it skips. */
export const SKIPPED = 'skipped: '
/** How the line begins that closes a file and counts its tests, in JSON; nothing else prints such a line. */
export const CLOSED = '\u0001closed '

/** What came of one file. */
export interface FileCounts {
  readonly file: string
  readonly passed: number
  readonly failed: number
  readonly skipped: number
}

/** Long enough for what differs, which Chai would cut to the number of elements. */
const REASON_LENGTH = 1000
config.truncateThreshold = REASON_LENGTH

/** Returns the beginning of the message that a test failed with, so that it can be read where only the end of the output is kept. */
const reasonOf = ({ err }: mocha.Test): string => {
  const message = err?.message?.replace(/\s+/g, ' ').slice(0, REASON_LENGTH)
  return message ? ` (${message})` : ''
}

const say = (line: string): void => mocha.reporters.Base.consoleLog(line)

/**
 * Mocha's own output, closed by the names of what failed and one plain line `N passed, N failed` so that the count can be read by anyone.
 * With the option `files` each file is closed by what failed in it and a line for the process that started this one.
 */
export default class Reporter extends mocha.reporters.Spec {
  private file: string | undefined
  private closed = { passes: 0, failures: 0, pending: 0 }
  private readonly skips: string[] = []

  constructor(runner: mocha.Runner, options: mocha.MochaOptions) {
    super(runner, options)
    if (!options.reporterOptions?.files) return
    runner.on('pending', (test) => void this.skips.push(SKIPPED + test.titlePath().join(': ')))
    // Before its title is printed.
    runner.prependListener('suite', ({ parent, file }) => {
      if (!parent?.root || file === this.file) return
      this.closeFile()
      this.file = file
    })
  }

  override epilogue(): void {
    if (this.file !== undefined) this.closeFile()
    else super.epilogue()
    this.nameFailures(this.closed.failures)
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {}
    say(`${passes} passed, ${failures} failed${pending ? `, ${pending} skipped` : ''}`)
  }

  private closeFile(): void {
    if (this.file === undefined) return
    const { passes = 0, failures = 0, pending = 0 } = this.stats ?? {}
    const before = this.closed
    const failed = this.failures.slice(before.failures)
    if (failed.length > 0) mocha.reporters.Base.list(failed)
    for (const skip of this.skips.splice(0)) say(skip)
    this.nameFailures(before.failures)
    const counts: FileCounts = {
      file: this.file,
      passed: passes - before.passes,
      failed: failures - before.failures,
      skipped: pending - before.pending,
    }
    say(CLOSED + JSON.stringify(counts))
    this.closed = { passes, failures, pending }
  }

  private nameFailures(from: number): void {
    for (const failure of this.failures.slice(from))
      say(`${FAILED}${failure.titlePath().join(': ')}${reasonOf(failure)}`)
  }
}
