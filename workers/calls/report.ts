import type { Stamp } from '../../domain/kernel/decide/ask.ts'
import type { Decider } from '../../domain/kernel/decide/decider.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { Report } from '../../domain/kernel/react/outbound-call.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { derivedId } from '../derived-id.ts'
import { envelopeOf } from '../envelope.ts'
import { DONE, type Outcome } from '../reactor/reaction.ts'
import type { CallDeps } from './call-deps.ts'

/** What came of something that an event of a process started. */
export interface Reported {
  readonly process: Decider
  readonly event: RecordedEvent
  /** Of the call, or whatever else it came of. */
  readonly by: string
  readonly report: Report
}

/** When and as whom something is told that follows from an event. */
export const stampOf = ({ now }: CallDeps, { metadata }: RecordedEvent): Stamp => ({
  at: new Date(now(metadata.workspace_id)).toISOString(),
  actor: workerActor('calls'),
})

/** A refusal that says nothing of what was asked: it is worth another try. */
export const willPass = ({ kind }: Refusal): boolean => kind === 'conflict' || kind === 'unavailable'

/** Tells a process what came of something, once. @throws {Refusal} that will pass */
export const reportToProcess = async (deps: CallDeps, { process, event, by, report }: Reported): Promise<Outcome> => {
  const { id } = parseStream(event.stream)
  const { act, wanted } = report
  const result = await deps.engine.transact({
    aggregate: process,
    id,
    command: { type: act, id, wanted, ...stampOf(deps, event) },
    ...envelopeOf(event),
    eventIds: (index) => derivedId(event.id, by, act, index),
  })
  if (!(result instanceof Refusal)) return DONE
  if (willPass(result)) throw result
  return { came: 'refused', reasons: [`${by}: ${result.message}`] }
}
