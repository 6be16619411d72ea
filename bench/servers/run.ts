import { Command } from 'commander'
import { missingNode } from '../../test/servers/node.ts'
import { appends } from './appends.ts'
import { alone, divided } from './creates.ts'
import { moving } from './moving.ts'

/** Measures the service on an EventStoreDB and on a server of MongoDB's protocol, both started on this machine for it. */

interface Flags {
  readonly only: string
  readonly seconds: string
  readonly rounds: string
  readonly contacts: string
  readonly root?: string
}

const measure = async (flags: Flags): Promise<void> => {
  if (missingNode) throw new Error(missingNode)
  const seconds = Number(flags.seconds)
  const parts: Readonly<Record<string, () => Promise<object>>> = {
    appends: () => appends(seconds),
    alone: () => alone(seconds, flags.root),
    divided: () => divided(seconds, flags.root),
    moving: () => moving(Number(flags.contacts)),
  }
  for (let round = 1; round <= Number(flags.rounds); round++) {
    for (const part of flags.only.split(',')) {
      const measured = parts[part]
      if (!measured) throw new Error(`--only takes ${Object.keys(parts).join(', ')}, not '${part}'`)
      process.stdout.write(`${JSON.stringify({ round, part, found: await measured() }, rounded)}\n`)
    }
  }
}

const rounded = (_key: string, value: unknown): unknown =>
  typeof value === 'number' ? Math.round(value * 10) / 10 : value

await new Command('servers')
  .option('--only <parts>', 'of appends, alone, divided, moving', 'appends,alone,divided,moving')
  .option('--seconds <number>', 'for how long each is asked', '10')
  .option('--rounds <number>', 'how often all of it is measured', '2')
  .option('--contacts <number>', 'how many are moved', '20000')
  .option('--root <checkout>', 'another one, built, whose service is asked')
  .action(measure)
  .parseAsync()
process.exit(0)
