import { ask } from '../../domain/kernel/decide/ask.ts'
import type { RecordOf } from '../../domain/kernel/model/model.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { run } from '../../domain/workflows/run/model.ts'
import { originOf, runs } from '../../domain/workflows/run/rules.ts'
import { workflows } from '../../domain/workflows/workflow/rules.ts'
import { carryOut } from './command.ts'
import type { RunsDeps } from './runs-deps.ts'

type Run = RecordOf<typeof run>

/** Most workflows that may lead to one another by what their runs do. */
const MOST_HOPS = 10

/** Most times that a contact is in the same workflow in consequence of one event. Two workflows that lead to each other come to as many in a whole chain. */
const MOST_ENTRIES = MOST_HOPS / 2

/** Returns whether a run has so many behind it that it starts no other. */
export const isAtEnd = ({ chain }: Pick<Run, 'chain'>): boolean => chain.length >= MOST_HOPS

/** Returns whether a run would start a workflow for its contact once more, whose runs have come from the same event so often already. */
export const isTooBroad = (behind: Run, ofWorkflow: readonly Run[]): boolean => {
  const origin = originOf(behind)
  return ofWorkflow.filter((one) => originOf(one) === origin).length >= MOST_ENTRIES
}

/** Notes with a run, and with all workflows of its chain, that it did not start a workflow. */
export const cutChain = async (
  deps: Pick<RunsDeps, 'engine' | 'ids' | 'now'>,
  cause: RecordedEvent,
  { id, chain }: Run,
  workflow_id: number,
): Promise<void> => {
  const key = `run:${id}:cut:${workflow_id}`
  await carryOut(deps, cause, ask(runs, id, 'cutChain', { workflow_id }), { key })
  const whole = [...chain, workflow_id]
  for (const one of new Set(whole))
    await carryOut(deps, cause, ask(workflows, one, 'noteCut', { chain: whole }), { key: `${key}:${one}` })
}
