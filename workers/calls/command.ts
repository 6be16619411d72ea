import { type Ask, instanceOf, stampCommand } from '../../domain/kernel/decide/ask.ts'
import type { CommandOutcome, StreamCommand } from '../../domain/kernel/react/stream-command.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { envelopeOf } from '../envelope.ts'
import { once } from '../once.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type CallDeps, keyOf, processOf } from './call-deps.ts'
import { reportToProcess, stampOf, willPass } from './report.ts'

const WIDTH = 8
const TRIES = 10

/** A command for another stream, once under a key. @throws {Refusal} that will pass */
const tellOnce = (deps: CallDeps, event: RecordedEvent, asked: Ask, key: string): Promise<CommandOutcome> =>
  withIds(deps.ids, async () => {
    const { engine, ids } = deps
    const { id, isNew } = instanceOf(asked, mintFrom(ids))
    const result = await engine.transact({
      ...stampCommand(asked, stampOf(deps, event), id),
      isNew,
      ...envelopeOf(event),
      once: once(`told:${key}`),
    })
    if (result instanceof Refusal) {
      if (willPass(result)) throw result
      return { came: 'refused', reason: result.message }
    }
    // What was told before may have been told to another new record.
    return { came: 'answered', answer: 'repeatOf' in result ? parseStream(result.repeatOf.stream).id : id }
  })

/** Carries out a command that a process has for another stream, and tells it what came. */
export const commandReaction = (deps: CallDeps, telling: StreamCommand): Reaction => {
  const { ids } = deps
  const { name, process, on } = telling
  const types = new Set(on)
  return inStreams({
    name: `tell/${name}`,
    on: 'all',
    concerns: (event) => types.has(event.type) && (telling.when?.(event) ?? true),
    group: ({ metadata }) => `tell/${name}:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    maxAttempts: TRIES,
    async react(event) {
      const record = await processOf(deps, process, event)
      const asked = record && (await withIds(ids, () => telling.command(record, mintFrom(ids))))
      if (!asked) return DONE
      const nth = telling.nth?.(record) ?? 0
      const key = await keyOf(deps, event, nth === 0 ? name : `${name}#${nth}`)
      const told = await tellOnce(deps, event, asked, key)
      return reportToProcess(deps, { process, event, by: name, report: telling.outcome(told, record) })
    },
  })
}
