import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { dataSets } from './data-sets.ts'
import { commands } from './measures/commands.ts'
import { footprint } from './measures/footprint.ts'
import { lists } from './measures/lists.ts'
import { reads } from './measures/reads.ts'
import { rebuild } from './measures/rebuild.ts'
import type { Setting } from './measures/setting.ts'
import { structure } from './measures/structure.ts'
import { writes } from './measures/writes.ts'
import { ROOT } from './places.ts'
import { asJson, asText, type Finding } from './report.ts'
import { FULL, QUICK } from './rounds.ts'

type Benchmark = (setting: Setting) => Promise<Finding>

const BENCHMARKS: Readonly<Record<string, Benchmark>> = {
  a: writes,
  b: reads,
  c: lists,
  d: rebuild,
  e: commands,
  f: footprint,
  g: structure,
}

interface Flags {
  readonly json?: boolean
  readonly quick?: boolean
  readonly only?: string
  readonly rounds?: string
  readonly dir: string
  readonly profile?: string
}

const chosen = (only: string | undefined): readonly Benchmark[] => {
  const letters = only?.split(',') ?? Object.keys(BENCHMARKS)
  return letters.map((letter) => {
    const benchmark = BENCHMARKS[letter.trim()]
    if (!benchmark) throw new Error(`there is no benchmark ${letter}; there are ${Object.keys(BENCHMARKS).join(', ')}`)
    return benchmark
  })
}

const measure = async ({ json, quick, only, rounds, dir, profile }: Flags): Promise<void> => {
  const benchmarks = chosen(only)
  await mkdir(dir, { recursive: true })
  const home = await mkdtemp(path.join(dir, 'bench-'))
  const scratch = async (name: string) => mkdtemp(path.join(home, `${name}-`))
  const tell = (text: string) => void process.stderr.write(`   ${text}\n`)
  const usual = quick ? QUICK : FULL
  const effort = rounds === undefined ? usual : { ...usual, rounds: Number(rounds) }
  const data = dataSets(effort, scratch, tell)
  tell(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node.js ${process.version}`)
  try {
    for (const benchmark of benchmarks) {
      const finding = await benchmark({ effort, data, scratch, profile: profile && path.resolve(profile), tell })
      process.stdout.write(`${(json ? asJson : asText)(finding)}\n`)
    }
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('bench')
  .description('measure Millrace beside the least that each thing can cost, on this machine')
  .option('--only <letters>', 'only these benchmarks: a,b,c,d,e,f,g')
  .option('--quick', 'fewer and shorter rounds, and a tenth of the data')
  .option('--rounds <number>', 'how often everything is measured (7, quick: 3)')
  .option('--json', 'print one line of JSON a benchmark')
  .option(
    '--dir <directory>',
    'where data is kept while measuring; on the disk to be measured',
    path.join(ROOT, '.millrace'),
  )
  .option('--profile <directory>', 'leave CPU profiles of our side there (that side is then slower)')
  .action(measure)
  .parseAsync()
