import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { COMPARISONS, compareWith } from './against/index.ts'
import { dataSets } from './data-sets.ts'
import { commands } from './measures/commands.ts'
import { footprint } from './measures/footprint.ts'
import { lists } from './measures/lists.ts'
import { reads } from './measures/reads.ts'
import { rebuild } from './measures/rebuild.ts'
import type { Setting } from './measures/setting.ts'
import { slowDisk } from './measures/slow-disk.ts'
import { structure } from './measures/structure.ts'
import { writes } from './measures/writes.ts'
import { ROOT } from './places.ts'
import { asJson, asText, type Finding } from './report.ts'
import { evenly, FULL, QUICK } from './rounds.ts'

type Benchmark = (setting: Setting) => Promise<Finding>

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  a: writes,
  b: reads,
  c: lists,
  d: rebuild,
  e: commands,
  f: footprint,
  g: structure,
  h: slowDisk,
}

interface Flags {
  readonly json?: boolean
  readonly quick?: boolean
  readonly only?: string
  readonly rounds?: string
  readonly dir: string
  readonly profile?: string
  readonly against?: string
}

const chosen = <T>(all: Readonly<Record<string, T>>, only: string | undefined): readonly T[] => {
  const letters = only?.split(',') ?? Object.keys(all)
  return letters.map((letter) => {
    const one = all[letter.trim()]
    if (!one) throw new Error(`there is no benchmark ${letter}; there are ${Object.keys(all).join(', ')}`)
    return one
  })
}

async function* alone(benchmarks: readonly Benchmark[], setting: Setting, json: boolean): AsyncGenerator<string> {
  for (const benchmark of benchmarks) {
    const finding = await benchmark(setting)
    yield (json ? asJson : asText)(finding)
  }
}

/** By `exit`, which takes the children and the data along. */
const endOnSignals = (home: string): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
}

const measure = async ({ json = false, quick, only, rounds, dir, profile, against }: Flags): Promise<void> => {
  const benchmarks = chosen(BENCHMARKS, only)
  const comparisons = chosen(COMPARISONS, only)
  if (against !== undefined && profile !== undefined)
    throw new Error('--profile slows one side, --against compares two')
  await mkdir(dir, { recursive: true })
  const home = await mkdtemp(path.join(dir, 'bench-'))
  endOnSignals(home)
  const scratch = async (name: string) => mkdtemp(path.join(home, `${name}-`))
  const tell = (text: string) => void process.stderr.write(`   ${text}\n`)
  const usual = quick ? QUICK : FULL
  const usualRounds = against === undefined ? usual.rounds : evenly(usual.rounds)
  const effort = { ...usual, rounds: rounds === undefined ? usualRounds : Number(rounds) }
  const setting = { effort, data: dataSets(effort, scratch, tell), scratch, tell }
  tell(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node.js ${process.version}`)
  try {
    const reports =
      against === undefined
        ? alone(benchmarks, { ...setting, profile: profile && path.resolve(profile) }, json)
        : compareWith(against, comparisons, { effort, scratch, tell, dir, json })
    for await (const report of reports) process.stdout.write(`${report}\n`)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('bench')
  .description('measure Millrace beside the least that each thing can cost, on this machine')
  .option('--only <letters>', `only these benchmarks: ${Object.keys(BENCHMARKS).join(',')}`)
  .option('--quick', 'fewer and shorter rounds, and a tenth of the data')
  .option('--rounds <number>', 'how often everything is measured (7, quick: 3)')
  .option('--json', 'print one line of JSON a benchmark')
  .option('--against <commit>', 'compare with another commit of this repository instead, built below --dir')
  .option(
    '--dir <directory>',
    'where data is kept while measuring; on the disk to be measured',
    path.join(ROOT, '.millrace'),
  )
  .option('--profile <directory>', 'leave CPU profiles of our side there (that side is then slower)')
  .action(measure)
  .parseAsync()
