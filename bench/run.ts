import { rmSync } from 'node:fs'
import { mkdir, mkdtemp, rm } from 'node:fs/promises'
import { availableParallelism, cpus } from 'node:os'
import path from 'node:path'
import { Command } from 'commander'
import { BEFORE_SQLITE, compareWith } from './against/index.ts'
import { alone } from './alone.ts'
import { dataSets } from './data-sets.ts'
import { FORMS, type Form } from './forms.ts'
import { chosen, PROBES } from './letters/index.ts'
import { ROOT } from './places.ts'
import type { Probe } from './probe.ts'
import { evenly, FULL, QUICK } from './rounds.ts'

interface Flags {
  readonly json?: boolean
  readonly markdown?: boolean
  readonly quick?: boolean
  readonly only?: string
  readonly rounds?: string
  readonly dir: string
  readonly profile?: string
  readonly against?: string
}

/** Ends on signals through `exit`, whose handlers end the child processes and remove the data. */
const endOnSignals = (home: string): void => {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.once(signal, () => process.exit(1))
  process.once('exit', () => rmSync(home, { recursive: true, force: true, maxRetries: 5 }))
}

/** Plans which probes are measured alone first, compared with another commit, and measured alone last. */
const planOf = (
  probes: readonly Probe[],
  against: string | undefined,
  isTable: boolean,
): Readonly<Record<'first' | 'compared' | 'last', readonly Probe[]>> => {
  if (against !== undefined) return { first: [], compared: probes, last: [] }
  if (!isTable) return { first: probes, compared: [], last: [] }
  // The table of docs/performance.md has rows that only a comparison gives. Probes without a row in it stand below the table.
  const first = probes.filter(({ targets }) => targets.length > 0)
  const compared = probes.filter(({ targetsBeforeSqlite }) => targetsBeforeSqlite)
  return { first, compared, last: probes.filter((probe) => !first.includes(probe) && !compared.includes(probe)) }
}

async function* reports(flags: Flags, form: Form, home: string): AsyncGenerator<string> {
  const { quick, only, rounds, dir, profile, against, markdown = false } = flags
  const { first, compared, last } = planOf(chosen(only), against, markdown)
  const scratch = async (name: string) => mkdtemp(path.join(home, `${name}-`))
  const tell = (text: string) => void process.stderr.write(`   ${text}\n`)
  const usual = quick ? QUICK : FULL
  const wanted = rounds === undefined ? usual.rounds : Number(rounds)
  const effort = { ...usual, rounds: wanted }
  const data = dataSets(effort, scratch, tell)
  const context = { effort, root: ROOT, data, scratch, tell, profile: profile && path.resolve(profile) }
  tell(`${cpus()[0]?.model}, ${availableParallelism()} cores, Node.js ${process.version}`)
  const print = <F extends { readonly notes?: readonly string[] }>(found: F, how: (found: F) => string): string => {
    if (form.notesApart) for (const note of found.notes ?? []) tell(note)
    return how(found)
  }
  if (form.head !== undefined) yield form.head
  for (const probe of first) yield print(await alone(probe, context), form.finding)
  if (compared.length > 0) {
    const paired = { ...effort, rounds: rounds === undefined ? evenly(wanted) : wanted }
    const comparing = compareWith(against ?? BEFORE_SQLITE, compared, { effort: paired, scratch, tell, dir })
    for await (const found of comparing) yield print(found, form.compared)
  }
  for (const probe of last) yield print(await alone(probe, context), form.finding)
}

const measure = async (flags: Flags): Promise<void> => {
  const { json, markdown, dir, profile, against } = flags
  if (against !== undefined && profile !== undefined)
    throw new Error('--profile slows one side, --against compares two')
  await mkdir(dir, { recursive: true })
  const home = await mkdtemp(path.join(dir, 'bench-'))
  endOnSignals(home)
  try {
    const form: Form = FORMS[json ? 'json' : markdown ? 'markdown' : 'text']
    for await (const report of reports(flags, form, home)) if (report !== '') process.stdout.write(`${report}\n`)
  } finally {
    await rm(home, { recursive: true, force: true })
  }
}

await new Command('bench')
  .description('measure Millrace beside the least that each thing can cost, on this machine')
  .option('--only <letters>', `only these benchmarks: ${[...PROBES.keys()].join(',')}`)
  .option('--quick', 'fewer and shorter rounds, and a tenth of the data')
  .option('--rounds <number>', 'how often everything is measured (7, quick: 3)')
  .option('--json', 'print one line of JSON a benchmark')
  .option('--markdown', `print the tables of docs/performance.md, with what they have against ${BEFORE_SQLITE}`)
  .option('--against <commit>', 'compare with another commit of this repository instead, built below --dir')
  .option(
    '--dir <directory>',
    'where data is kept while measuring; on the disk to be measured',
    path.join(ROOT, '.millrace'),
  )
  .option('--profile <directory>', 'leave CPU profiles of our side there (that side is then slower)')
  .action(measure)
  .parseAsync()
