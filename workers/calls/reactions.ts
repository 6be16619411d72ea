import { report as reportOf } from '../../domain/kernel/react/outbound-call.ts'
import type { Process } from '../../domain/resources/process/index.ts'
import { inStreams, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { callReactions } from './call.ts'
import type { CallDeps } from './call-deps.ts'
import { commandReaction } from './command.ts'
import { reportToProcess } from './report.ts'

const WIDTH = 8
const TRIES = 10

/** Calls off what takes longer than it may. */
const deadlineReaction = (deps: CallDeps, { model, decider, withinMs }: Process): Reaction => {
  const name = `deadline/${model.name}`
  return inStreams({
    name,
    on: [{ type: model.stages.begun }],
    group: ({ metadata }) => `${name}:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    maxAttempts: TRIES,
    async react(event, turn) {
      const deadline = Date.parse(event.metadata.at) + withinMs
      if (deadline > deps.now(event.metadata.workspace_id)) return { came: 'early', notBefore: deadline }
      if (turn.stopping()) return STOPPED
      const report = reportOf('callOff', { reason: 'it took too long' })
      return reportToProcess(deps, { process: decider, event, by: name, report })
    },
  })
}

/**
 * What carries processes on: their calls, what they tell other streams, and their deadlines.
 *
 * @throws {Error} when nobody is there for one of their calls
 */
export const processReactions = (deps: CallDeps, processes: readonly Process[]): readonly Reaction[] => [
  ...callReactions(
    deps,
    processes.flatMap(({ calls }) => calls),
  ),
  ...processes.flatMap(({ commands }) => commands).map((telling) => commandReaction(deps, telling)),
  ...processes.map((process) => deadlineReaction(deps, process)),
]
