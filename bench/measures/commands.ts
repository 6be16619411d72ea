import { existsSync } from 'node:fs'
import path from 'node:path'
import { run } from '../child.ts'
import { PEERS, programFile } from '../places.ts'
import type { Finding } from '../report.ts'
import { interleave, ratios } from '../rounds.ts'
import { median } from '../statistics.ts'
import type { Setting } from './setting.ts'

const MANY = 64

const SIDES = {
  'Millrace, 1 in flight': [programFile('commands'), 1],
  'Millrace, 64 in flight': [programFile('commands'), MANY],
  'SQLite event table, 1 in flight': [path.join(PEERS, 'sqlite-table.mjs'), 1],
  'SQLite event table, 64 in flight': [path.join(PEERS, 'sqlite-table.mjs'), MANY],
  'emmett-sqlite, 1 in flight': [path.join(PEERS, 'emmett.mjs'), 'sqlite'],
  'emmett in memory, 1 in flight': [path.join(PEERS, 'emmett.mjs'), 'memory'],
} as const

type Side = keyof typeof SIDES

const NOT_INSTALLED =
  'The peers are not installed, so Millrace is measured alone. Install them with: npm ci --prefix bench/peers'

/** (e) The command that creates a contact, without HTTP, beside other ways of keeping events. */
export const commands = async ({ effort, scratch, profile }: Setting): Promise<Finding> => {
  const peers = existsSync(path.join(PEERS, 'node_modules'))
  const measure = (side: Side) => async (): Promise<number> => {
    const [file, how] = SIDES[side]
    const args = [await scratch('commands'), String(how), String(effort.seconds)]
    const options = { args, profile: file.startsWith(PEERS) ? undefined : profile }
    return (await run<{ perSecond: number }>(file, options)).perSecond
  }
  const sides = (Object.keys(SIDES) as Side[]).filter((side) => peers || !SIDES[side][0].startsWith(PEERS))
  const measures = Object.fromEntries(sides.map((side) => [side, measure(side)])) as Record<Side, () => Promise<number>>
  // Each program warms up by itself.
  const values = await interleave(effort.rounds, measures, { warmUp: false })
  const times = (ours: Side, theirs: Side) => median(ratios(values[ours], values[theirs]))
  return {
    benchmark: 'e',
    title: 'the command that creates a contact, without HTTP',
    figures: sides.map((label) => ({ label, unit: 'commands/s', values: values[label] })),
    targets: peers
      ? [
          {
            says: 'times emmett-sqlite, 1 in flight',
            value: times('Millrace, 1 in flight', 'emmett-sqlite, 1 in flight'),
            unit: '×',
            atLeast: 10,
          },
          {
            says: 'times the SQLite event table, 64 in flight',
            value: times('Millrace, 64 in flight', 'SQLite event table, 64 in flight'),
            unit: '×',
            atLeast: 3,
          },
        ]
      : [],
    ...(peers ? {} : { notes: [NOT_INSTALLED] }),
  }
}
