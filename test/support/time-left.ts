import { mkdirSync, readFileSync, writeFileSync } from 'node:fs'
import path from 'node:path'

/** Where a run notes how long its suites took, for the next one. Git ignores it. */
const NOTE = path.join(import.meta.dirname, '../../../.build/suites.json')
/** What a suite counts as that no run has noted, in seconds. */
const UNKNOWN_S = 5

type Seconds = Readonly<Record<string, number>>

const noted = (): Seconds => {
  try {
    return JSON.parse(readFileSync(NOTE, 'utf8')) as Seconds
  } catch {
    return {}
  }
}

/** Tells how long a run still takes, by how long its suites took in the last one, and how fast this one is. */
export class TimeLeft {
  readonly #before = noted()
  readonly #took = new Map<string, number>()
  readonly #open: Set<string>
  readonly #begun = performance.now()

  /** @param files suites, by their path below the tests */
  constructor(files: readonly string[]) {
    this.#open = new Set(files)
  }

  /** Notes that a suite is done. @returns how long the others take, in words; `undefined`: no run has noted it */
  note(file: string, seconds: number): string | undefined {
    this.#open.delete(file)
    this.#took.set(file, seconds)
    const done = this.#expected(this.#took.keys())
    if (done === 0 || Object.keys(this.#before).length === 0) return undefined
    const passed = (performance.now() - this.#begun) / 60_000
    return `about ${Math.ceil((passed * this.#expected(this.#open)) / done)} min left`
  }

  /** Keeps what was noted for the next run, beside what is known of suites that were not part of this one. */
  keep(): void {
    mkdirSync(path.dirname(NOTE), { recursive: true })
    writeFileSync(NOTE, `${JSON.stringify({ ...this.#before, ...Object.fromEntries(this.#took) })}\n`)
  }

  #expected(files: Iterable<string>): number {
    let sum = 0
    for (const file of files) sum += this.#before[file] ?? UNKNOWN_S
    return sum
  }
}
