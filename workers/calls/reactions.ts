import { to } from '../../domain/kernel/react/call.ts'
import type { Process } from '../../domain/resources/process/index.ts'
import { inStreams, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { callReactions } from './call.ts'
import type { CallParts } from './call-deps.ts'
import { tellReaction } from './command.ts'
import { tellProcess } from './report.ts'

const WIDTH = 8
const TRIES = 10

/** Calls off what takes longer than it may. */
const deadlineReaction = (parts: CallParts, { model, decider, withinMs }: Process): Reaction => {
  const name = `deadline/${model.name}`
  return inStreams({
    name,
    on: [{ type: model.stages.begun }],
    gate: ({ metadata }) => `${name}:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    tries: TRIES,
    async react(event, turn) {
      const deadline = Date.parse(event.metadata.at) + withinMs
      if (deadline > parts.now(event.metadata.workspace_id)) return { came: 'early', notBefore: deadline }
      if (turn.stopping()) return STOPPED
      const report = to('callOff', { reason: 'it took too long' })
      return tellProcess(parts, { process: decider, event, by: name, report })
    },
  })
}

/**
 * What carries processes on: their calls, what they tell other streams, and their deadlines.
 *
 * @throws {Error} when nobody is there for one of their calls
 */
export const processReactions = (parts: CallParts, processes: readonly Process[]): readonly Reaction[] => [
  ...callReactions(
    parts,
    processes.flatMap(({ callings }) => callings),
  ),
  ...processes.flatMap(({ tellings }) => tellings).map((telling) => tellReaction(parts, telling)),
  ...processes.map((process) => deadlineReaction(parts, process)),
]
