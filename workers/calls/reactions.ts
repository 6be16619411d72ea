import { report as reportOf } from '../../domain/kernel/react/outbound-call.ts'
import { isJsonObject } from '../../domain/kernel/values/event.ts'
import type { Process } from '../../domain/resources/process/index.ts'
import type { Wait } from '../../domain/resources/process/steps.ts'
import { inStreams, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { callReactions } from './call.ts'
import type { CallDeps } from './call-deps.ts'
import { commandReaction } from './command.ts'
import { reportToProcess } from './report.ts'

const GROUP_LIMIT = 8
const TRIES = 10

/** Time after which nothing can have run when a deadline passed. */
const LATE_MS = 10 * 60_000

/** Returns the reaction that calls off a process at its deadline. */
const deadlineReaction = (deps: CallDeps, { model, decider, withinMs, waitsForWorkers }: Process): Reaction => {
  const name = `deadline/${model.name}`
  return inStreams({
    name,
    on: [{ type: model.stages.begun }],
    group: ({ metadata }) => `${name}:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    async react(event, turn) {
      const now = deps.now(event.metadata.workspace_id)
      const stored = await turn.cursor()
      const isAnew = isJsonObject(stored) && typeof stored.deadline === 'number'
      let deadline = isAnew ? Number(stored.deadline) : Date.parse(event.metadata.at) + withinMs
      if (waitsForWorkers && !isAnew && now - deadline > LATE_MS) {
        deadline = now + withinMs
        await turn.saveCursor({ deadline })
      }
      if (deadline > now) return { came: 'early', notBefore: deadline }
      if (turn.stopping()) return STOPPED
      const report = reportOf('callOff', { reason: 'it took too long' })
      return reportToProcess(deps, { process: decider, event, by: name, report })
    },
  })
}

/** Returns the reaction that ends a pause of a process when its time is over. */
const waitReaction = (deps: CallDeps, { name, process, on, when, withinMs, over }: Wait): Reaction =>
  inStreams({
    name: `wait/${name}`,
    on: 'all',
    concerns: (event) => on.includes(event.type) && when(event),
    group: ({ metadata }) => `wait/${name}:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    async react(event, turn) {
      const until = Date.parse(event.metadata.at) + withinMs
      if (until > deps.now(event.metadata.workspace_id)) return { came: 'early', notBefore: until }
      if (turn.stopping()) return STOPPED
      return reportToProcess(deps, { process, event, by: `wait/${name}`, report: over() })
    },
  })

/**
 * Returns the reactions that drive processes: their calls, their commands to other streams, their pauses, and their deadlines.
 *
 * @throws {Error} when a port has no adapter that fits
 */
export const processReactions = (deps: CallDeps, processes: readonly Process[]): readonly Reaction[] => [
  ...callReactions(
    deps,
    processes.flatMap(({ calls }) => calls),
  ),
  ...processes.flatMap(({ commands }) => commands).map((command) => commandReaction(deps, command)),
  ...processes.flatMap(({ waits }) => waits).map((wait) => waitReaction(deps, wait)),
  ...processes.map((process) => deadlineReaction(deps, process)),
]
