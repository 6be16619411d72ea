import type { Ask } from '../../domain/kernel/decide/ask.ts'
import { becauseOf, desk } from '../../domain/kernel/engine/desk.ts'
import type { CommandOutcome, StreamCommand } from '../../domain/kernel/react/stream-command.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { once } from '../once.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type CallDeps, keyOf, processOf } from './call-deps.ts'
import { reportToProcess, stampOf, willPass } from './report.ts'

const GROUP_LIMIT = 8
const TRIES = 10

/** Sends a command to another stream, once under a key. @throws {Refusal} that will pass */
const sendOnce = async (deps: CallDeps, event: RecordedEvent, asked: Ask, key: string): Promise<CommandOutcome> => {
  const result = await desk(deps)(becauseOf(event, stampOf(deps, event)), asked, { claim: once(`told:${key}`) })
  if (result instanceof Refusal) {
    if (willPass(result)) throw result
    return { came: 'refused', reason: result.message }
  }
  // An earlier attempt may have created the record under another id.
  return { came: 'answered', answer: 'repeatOf' in result ? parseStream(result.repeatOf.stream).id : result.id }
}

/** Returns the reaction that sends a command of a process to another stream, and reports the outcome to the process. */
export const commandReaction = (deps: CallDeps, spec: StreamCommand): Reaction => {
  const { ids } = deps
  const { name, process, on } = spec
  const types = new Set(on)
  return inStreams({
    name: `tell/${name}`,
    on: 'all',
    concerns: (event) => types.has(event.type) && (spec.when?.(event) ?? true),
    group: ({ metadata }) => `tell/${name}:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    async react(event) {
      const record = await processOf(deps, process, event)
      const ask = record && (await withIds(ids, () => spec.command(record, mintFrom(ids))))
      if (!ask) return DONE
      const nth = spec.nth?.(record) ?? 0
      const key = await keyOf(deps, event, nth === 0 ? name : `${name}#${nth}`)
      const outcome = await sendOnce(deps, event, ask, key)
      return reportToProcess(deps, { process, event, by: name, report: spec.outcome(outcome, record) })
    },
  })
}
