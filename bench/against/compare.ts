import { withContext } from '../alone.ts'
import { cpuNotes } from '../cpu.ts'
import { type Probe, type ProbeContext, ProbeSkipped, type Reading, targetsOf } from '../probe.ts'
import { evenly, interleave, ratios } from '../rounds.ts'
import type { Compared, Comparison } from './report.ts'

export type SideName = 'ours' | 'theirs'

/** The context of each side. */
export type Sides = Readonly<Record<SideName, Omit<ProbeContext, 'start' | 'bare'>>>

/** Rows for the readings that both sides have in every round. */
export const rowsOf = (values: Readonly<Record<SideName, readonly (readonly Reading[])[]>>): Comparison[] =>
  (values.ours[0] ?? []).flatMap(({ label, unit }) => {
    const of = (side: SideName) =>
      values[side].flatMap((readings) => readings.find((reading) => reading.label === label)?.value ?? [])
    const [ours, theirs] = [of('ours'), of('theirs')]
    if (ours.length < values.ours.length || theirs.length < values.theirs.length) return []
    return [{ label, unit, ours, theirs, ratios: ratios(ours, theirs) }]
  })

/** Sets up a probe on both sides and reads both in turn in every round. */
export const compare = async (probe: Probe, sides: Sides, isBeforeSqlite: boolean): Promise<Compared> => {
  const { effort } = sides.ours
  const { benchmark, mostRounds = effort.rounds, warmUp = true } = probe
  const title = probe.title(effort)
  const measure = async (ours: ProbeContext, theirs: ProbeContext): Promise<Compared> => {
    const prepared = { ours: await probe.prepare(ours), theirs: await probe.prepare(theirs) }
    const rounds = Math.min(effort.rounds, evenly(mostRounds))
    const read = { ours: prepared.ours.read, theirs: prepared.theirs.read }
    const rows = rowsOf(await interleave(rounds, read, { warmUp }))
    const toTheirs = rows.map(({ label, ratios: values }) => ({ label, unit: '×', values }))
    const targets = (isBeforeSqlite && probe.targetsBeforeSqlite) || []
    const notes = Object.entries(prepared).flatMap(([side, { notes: own }]) =>
      (own?.() ?? []).map((n) => `${side}: ${n}`),
    )
    return { benchmark, title, rows, targets: targetsOf(targets, toTheirs), notes: [...notes, ...cpuNotes] }
  }
  const apart = { bare: false }
  return withContext(sides.ours, apart, (ours) =>
    withContext(sides.theirs, apart, (theirs) => measure(ours, theirs)),
  ).catch((error: unknown) => {
    if (!(error instanceof ProbeSkipped)) throw error
    return { benchmark, title, rows: [], targets: [], notes: [`Left out: ${error.message}.`] }
  })
}
