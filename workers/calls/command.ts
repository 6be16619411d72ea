import { type Ask, stamped } from '../../domain/kernel/decide/ask.ts'
import type { Telling, Told } from '../../domain/kernel/react/stream-command.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { envelopeOf } from '../envelope.ts'
import { once } from '../once.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type CallParts, keyOf, processOf } from './call-deps.ts'
import { stampOf, tellProcess, willPass } from './report.ts'

const WIDTH = 8
const TRIES = 10

/** A command for another stream, once under a key. @throws {Refusal} that will pass */
const tellOnce = (parts: CallParts, event: RecordedEvent, asked: Ask, key: string): Promise<Told> =>
  withIds(parts.ids, async () => {
    const { engine, ids } = parts
    const isNew = asked.isNew ?? asked.id === 'new'
    const id = asked.id === 'new' ? ids.next(asked.aggregate.name) : asked.id
    const result = await engine.transact({
      ...stamped(asked, stampOf(parts, event), id),
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
export const tellReaction = (parts: CallParts, telling: Telling): Reaction => {
  const { ids } = parts
  const { name, process, on } = telling
  const types = new Set(on)
  return inStreams({
    name: `tell/${name}`,
    on: 'all',
    concerns: (event) => types.has(event.type) && (telling.when?.(event) ?? true),
    gate: ({ metadata }) => `tell/${name}:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    tries: TRIES,
    async react(event) {
      const record = await processOf(parts, process, event)
      const asked = record && (await withIds(ids, () => telling.tells(record, ids.next)))
      if (!asked) return DONE
      const nth = telling.nth?.(record) ?? 0
      const key = await keyOf(parts, event, nth === 0 ? name : `${name}#${nth}`)
      const told = await tellOnce(parts, event, asked, key)
      return tellProcess(parts, { process, event, by: name, report: telling.came(told, record) })
    },
  })
}
