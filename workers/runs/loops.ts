import { ask } from '../../domain/kernel/decide/ask.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { run } from '../../domain/workflows/run/model.ts'
import { runs } from '../../domain/workflows/run/rules.ts'
import { workflows } from '../../domain/workflows/workflow/rules.ts'
import { carryOut } from './command.ts'
import type { RunsDeps } from './runs-deps.ts'

/** Most workflows that may lead to one another by what their runs do. */
export const MOST_HOPS = 10

/** Returns whether a run has so many behind it that it starts no other. */
export const isAtEnd = ({ chain }: Pick<RecordOf<typeof run>, 'chain'>): boolean => chain.length >= MOST_HOPS

/** Notes with a run, and with all workflows of its chain, that it did not start a workflow. */
export const cutChain = async (
  deps: Pick<RunsDeps, 'engine' | 'ids' | 'now'>,
  cause: RecordedEvent,
  { id, chain }: RecordOf<typeof run>,
  workflow_id: number,
): Promise<void> => {
  const key = `run:${id}:cut:${workflow_id}`
  await carryOut(deps, cause, ask(runs, id, 'cutChain', { workflow_id }), { key })
  const whole = [...chain, workflow_id]
  for (const one of new Set(whole))
    await carryOut(deps, cause, ask(workflows, one, 'noteCut', { chain: whole }), { key: `${key}:${one}` })
}
