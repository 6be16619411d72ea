import { type Running, serve } from './child.ts'
import { cpuNotes } from './cpu.ts'
import { programFile } from './places.ts'
import { columnsOf, type Probe, type ProbeContext, ProbeSkipped, targetsOf } from './probe.ts'
import type { Finding } from './report.ts'
import { interleave } from './rounds.ts'
import { startService } from './service.ts'

/** Runs an action on a context, then stops everything that was started on it. */
export const withContext = async <T>(
  context: Omit<ProbeContext, 'start' | 'bare'>,
  { bare }: { readonly bare: boolean },
  action: (context: ProbeContext) => Promise<T>,
): Promise<T> => {
  const { root, profile, scratch } = context
  const started: Running<unknown>[] = []
  const stopLater = <R extends Running<unknown>>(running: R): R => {
    started.push(running)
    return running
  }
  try {
    return await action({
      ...context,
      start: async (data, options = {}) => stopLater(await startService(data, { profile, ...options, root })),
      bare: bare
        ? async (program) => {
            const { name, args } = program ?? { name: 'bare', args: [await scratch('bare')] }
            return stopLater(await serve<{ api: string }>(programFile(name), { args }))
          }
        : undefined,
    })
  } finally {
    await Promise.all(started.map((running) => running.stop()))
  }
}

/** Measures this build, next to the bare server when the probe compares with it. */
export const alone = async (probe: Probe, context: Omit<ProbeContext, 'start' | 'bare'>): Promise<Finding> => {
  const { effort } = context
  const { benchmark, mostRounds = effort.rounds, warmUp = true } = probe
  const title = probe.title(effort)
  const measure = async (whole: ProbeContext): Promise<Finding> => {
    const { read, notes = () => [] } = await probe.prepare(whole)
    const { ours } = await interleave(Math.min(effort.rounds, mostRounds), { ours: read }, { warmUp })
    const figures = columnsOf(ours)
    return { benchmark, title, figures, targets: targetsOf(probe.targets, figures), notes: [...notes(), ...cpuNotes] }
  }
  return withContext(context, { bare: true }, measure).catch((error: unknown) => {
    if (!(error instanceof ProbeSkipped)) throw error
    return { benchmark, title, figures: [], targets: [], notes: [`Left out: ${error.message}.`] }
  })
}
