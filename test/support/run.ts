import { execFileSync } from 'node:child_process'
import { readdirSync } from 'node:fs'
import { availableParallelism } from 'node:os'
import path from 'node:path'
import { parseArgs } from 'node:util'
import { closing, NOTHING, type Progress, runGroup, sum } from './group.ts'
import { inMemory } from './in-memory.ts'
import { TimeLeft } from './time-left.ts'

/**
 * Runs the suites in processes side by side, and closes with the names of what was skipped and what failed and one line that counts them all.
 * With arguments only those whose path begins with one of them; with `--under PROGRAM` in another Node.js; with `--jobs N` that many at a
 * time; with `--verbose` all that they print, which is otherwise shown of a file in which something failed.
 *
 * How many files share a process, by the beginning of their path: those that take longest first, so that no core is idle in the end. What
 * serves the API shares one service. The more share a process, the less is spent on starting it, but the longer may the last one take.
 */
const TOGETHER: readonly (readonly [beginning: string, files: number])[] = [
  ['e2e/', 6],
  ['infra/mongodb/', 6],
  ['infra/read-models/', 4],
  ['reliability/', 11],
  ['browser/', 11],
  ['cli/', 6],
  ['api/', 45],
  ['infra/eventstoredb/', 8],
  ['infra/', 30],
  ['workers/', 40],
  ['', 90],
]

/** What bears no second of its kind beside it, and leaves a core half idle: one group of it runs beside the others, all the time. */
const ONE_AT_A_TIME: readonly string[] = ['browser/', 'servers/']

/** What is about files on a disk. */
const ON_DISK: readonly string[] = ['reliability/storage/', 'infra/log-db/', 'infra/read-models/']

const { values: options, positionals } = parseArgs({
  options: {
    under: { type: 'string', default: process.execPath },
    jobs: { type: 'string', default: String(availableParallelism() + 1) },
    verbose: { type: 'boolean', default: false },
  },
  allowPositionals: true,
})

const TESTS = path.join(import.meta.dirname, '..')

// Suites that start the program start what tsc made last.
execFileSync(process.execPath, [path.join(TESTS, '../../infra/bundle/build.js')], { stdio: 'inherit' })

const begins = (file: string, beginnings: readonly string[]) =>
  beginnings.some((beginning) => file.startsWith(beginning))

const asked = readdirSync(TESTS, { recursive: true, encoding: 'utf8' })
  .filter((file) => file.endsWith('.spec.js'))
  // They harm real servers: `npm run test:servers` runs them.
  .filter((file) => (positionals.length > 0 ? begins(file, positionals) : !file.startsWith('servers/')))
  .sort()

/** Equal shares of at most so many. */
const shares = (files: readonly string[], most: number): readonly (readonly string[])[] => {
  const count = Math.ceil(files.length / most)
  const share = (number: number) => Math.round((number * files.length) / count)
  return Array.from({ length: count }, (_, number) => files.slice(share(number), share(number + 1)))
}

/** Every suite once, in the first row that names the beginning of its path. */
const groups = (files: readonly string[]): readonly (readonly string[])[] => {
  let left = files
  return TOGETHER.flatMap(([beginning, most]) => {
    const group = left.filter((file) => file.startsWith(beginning))
    left = left.filter((file) => !file.startsWith(beginning))
    return shares(group, most)
  })
}

const left = new TimeLeft(asked)
const progress: Progress = { files: asked.length, done: 0, left }
let total = NOTHING

type Queue = IterableIterator<readonly string[]>

/** Runs the groups of queues, one after the other, of which others take some. */
const work = async (...queues: readonly Queue[]): Promise<void> => {
  for (const queue of queues)
    for (const group of queue) {
      const specs = group.map((file) => path.join(TESTS, file))
      const how = { under: options.under, verbose: options.verbose, progress }
      const run = (env: Readonly<Record<string, string>> = {}) => runGroup(specs, { ...how, env })
      const counts = await (begins(group[0] ?? '', ON_DISK) ? run() : inMemory(run))
      total = sum(total, counts)
    }
}

// Exit handlers end the processes of the groups.
for (const signal of ['SIGINT', 'SIGTERM'] as const) process.once(signal, () => process.exit(1))
const apart = groups(asked.filter((file) => begins(file, ONE_AT_A_TIME))).values()
const others = groups(asked.filter((file) => !begins(file, ONE_AT_A_TIME))).values()
const workers = Array.from({ length: Number(options.jobs) - 1 }, () => work(others))
await Promise.all([work(apart, others), ...workers])
left.keep()
process.stdout.write(closing(total))
process.exit(total.failed === 0 ? 0 : 1)
