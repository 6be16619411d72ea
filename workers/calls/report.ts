import type { Stamp } from '../../domain/kernel/asking.ts'
import type { Report } from '../../domain/kernel/calling.ts'
import { parseStream } from '../../domain/kernel/decider.ts'
import type { Decider } from '../../domain/kernel/deciding.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import { workerActor } from '../../domain/kernel/transaction.ts'
import { derivedId } from '../derived-id.ts'
import { envelopeOf } from '../envelope.ts'
import { DONE, type Outcome } from '../reactor/reaction.ts'
import type { CallParts } from './parts.ts'

/** What came of something that an event of a process started. */
export interface Reported {
  readonly process: Decider
  readonly event: RecordedEvent
  /** Of the call, or whatever else it came of. */
  readonly by: string
  readonly report: Report
}

/** When and as whom something is told that follows from an event. */
export const stampOf = ({ now }: CallParts, { metadata }: RecordedEvent): Stamp => ({
  at: new Date(now(metadata.workspace_id)).toISOString(),
  actor: workerActor('calls'),
})

/** A refusal that says nothing of what was asked: it is worth another try. */
export const willPass = ({ kind }: Refusal): boolean => kind === 'conflict' || kind === 'unavailable'

/** Tells a process what came of something, once. @throws {Refusal} that will pass */
export const tellProcess = async (parts: CallParts, { process, event, by, report }: Reported): Promise<Outcome> => {
  const { id } = parseStream(event.stream)
  const { act, wanted } = report
  const result = await parts.engine.transact({
    aggregate: process,
    id,
    command: { type: act, id, wanted, ...stampOf(parts, event) },
    ...envelopeOf(event),
    eventIds: (index) => derivedId(event.id, by, act, index),
  })
  if (!(result instanceof Refusal)) return DONE
  if (willPass(result)) throw result
  return { came: 'refused', reasons: [`${by}: ${result.message}`] }
}
