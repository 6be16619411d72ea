import { to } from '../../domain/kernel/calling.ts'
import type { Process } from '../../domain/kinds/process/index.ts'
import { type Reaction, STOPPED } from '../reactor/reaction.ts'
import { callReaction } from './call.ts'
import type { CallParts } from './parts.ts'
import { Places } from './places.ts'
import { tellProcess } from './report.ts'
import { tellReaction } from './tell.ts'

const WIDTH = 8
const TRIES = 10

/** Calls off what takes longer than it may. */
const deadlineReaction = (parts: CallParts, { model, decider, withinMs }: Process): Reaction => ({
  name: `deadline:${model.name}`,
  on: [model.stages.begun],
  gate: ({ metadata }) => `deadlines:${metadata.workspace_id ?? 0}`,
  width: WIDTH,
  tries: TRIES,
  async react(event, turn) {
    const deadline = Date.parse(event.metadata.at) + withinMs
    if (deadline > parts.now()) return { came: 'early', notBefore: deadline }
    if (turn.stopping()) return STOPPED
    const report = to('callOff', { reason: 'it took too long' })
    return tellProcess(parts, { process: decider, event, by: 'deadline', report })
  },
})

/**
 * What carries processes on: their calls, what they tell other streams, and their deadlines.
 *
 * @throws {Error} when nobody is there for one of their calls
 */
export const processReactions = (parts: CallParts, processes: readonly Process[]): readonly Reaction[] => {
  const places = new Places()
  return processes.flatMap((process) => [
    ...process.callings.map((calling) => callReaction(parts, places, calling)),
    ...process.tellings.map((telling) => tellReaction(parts, telling)),
    deadlineReaction(parts, process),
  ])
}
