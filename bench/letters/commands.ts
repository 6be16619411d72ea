import { existsSync } from 'node:fs'
import path from 'node:path'
import { run } from '../child.ts'
import { watchCpu } from '../cpu.ts'
import { PEERS, programFile } from '../places.ts'
import type { Probe, ProbeContext, Reading } from '../probe.ts'
import { inTurn } from '../rounds.ts'

const MANY = 64
const PLACES = [1, MANY] as const

const PEER_SIDES = {
  'SQLite event table, 1 in flight': ['sqlite-table.mjs', 1],
  'SQLite event table, 64 in flight': ['sqlite-table.mjs', MANY],
  'emmett-sqlite, 1 in flight': ['emmett.mjs', 'sqlite'],
  'emmett in memory, 1 in flight': ['emmett.mjs', 'memory'],
} as const

type PeerName = keyof typeof PEER_SIDES

const NOT_INSTALLED =
  'The peers are not installed, so Millrace is measured alone. Install them with: npm ci --prefix bench/peers'

const own = (inFlight: number): string => `Millrace, ${inFlight} in flight`

const ALONE_TO_TABLE = 'share of the SQLite event table, 1 in flight'
const MANY_TO_TABLE = 'times the SQLite event table, 64 in flight'
const TO_EMMETT = 'times emmett-sqlite, 1 in flight'

const measureOwn = async (
  { root, scratch, effort, profile }: ProbeContext,
  inFlight: number,
): Promise<readonly Reading[]> => {
  const { watch, before } = watchCpu()
  const args = [await scratch('commands'), String(inFlight), String(effort.seconds)]
  const { perSecond } = await run<{ perSecond: number }>(programFile('commands', root), { args, watch, profile })
  const cpu = before(effort.seconds)
  return [
    { label: own(inFlight), unit: 'commands/s', value: perSecond },
    { label: `${own(inFlight)}, CPU`, unit: 'µs/command', value: cpu && cpu / (perSecond * effort.seconds) },
  ]
}

const measurePeer = async ({ scratch, effort }: ProbeContext, name: PeerName): Promise<readonly Reading[]> => {
  const [file, how] = PEER_SIDES[name]
  const args = [await scratch('commands'), String(how), String(effort.seconds)]
  const { perSecond } = await run<{ perSecond: number }>(path.join(PEERS, file), { args })
  return [{ label: name, unit: 'commands/s', value: perSecond }]
}

const ratiosOf = (readings: readonly Reading[]): readonly Reading[] => {
  const of = (label: string) => readings.find((reading) => reading.label === label)?.value ?? Number.NaN
  return [
    { label: ALONE_TO_TABLE, unit: '%', value: (of(own(1)) / of('SQLite event table, 1 in flight')) * 100 },
    { label: MANY_TO_TABLE, unit: '×', value: of(own(MANY)) / of('SQLite event table, 64 in flight') },
    { label: TO_EMMETT, unit: '×', value: of(own(1)) / of('emmett-sqlite, 1 in flight') },
  ]
}

/** (e) The command that creates a contact, without HTTP, compared with other event stores. */
export const commands: Probe = {
  benchmark: 'e',
  title: () => 'the command that creates a contact, without HTTP',
  async prepare(context) {
    const peers = context.bare !== undefined && existsSync(path.join(PEERS, 'node_modules'))
    return {
      async read(round) {
        const steps = [
          ...PLACES.map((inFlight) => () => measureOwn(context, inFlight)),
          ...(peers ? (Object.keys(PEER_SIDES) as PeerName[]).map((name) => () => measurePeer(context, name)) : []),
        ]
        const readings = await inTurn(round, steps)
        return peers ? [...readings, ...ratiosOf(readings)] : readings
      },
      notes: () => (peers || !context.bare ? [] : [NOT_INSTALLED]),
    }
  },
  targets: [
    {
      says: "command in process, 1 in flight, share of a hand-written SQLite event table's rate",
      of: ALONE_TO_TABLE,
      atLeast: 35,
      goal: 50,
    },
    {
      says: "command in process, 64 in flight, to a hand-written SQLite event table's rate",
      of: MANY_TO_TABLE,
      atLeast: 1.7,
      goal: 2.5,
    },
    { says: "command in process, 1 in flight, to emmett-sqlite's rate", of: TO_EMMETT, atLeast: 10 },
  ],
  // Each program has its own warm-up.
  warmUp: false,
}
