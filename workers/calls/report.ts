import type { Stamp } from '../../domain/kernel/decide/ask.ts'
import type { Decider } from '../../domain/kernel/decide/decider.ts'
import { becauseOf, desk } from '../../domain/kernel/engine/desk.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { Report } from '../../domain/kernel/react/outbound-call.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { derivedId } from '../derived-id.ts'
import { DONE, type Outcome } from '../reactor/reaction.ts'
import type { CallDeps } from './call-deps.ts'

/** Outcome of something that an event of a process started. */
export interface Reported {
  readonly process: Decider
  readonly event: RecordedEvent
  /** Name of the call, command or deadline. */
  readonly by: string
  readonly report: Report
}

/** Returns the time and the actor of a command that follows from an event. */
export const stampOf = ({ now }: CallDeps, { metadata }: RecordedEvent): Stamp => ({
  at: new Date(now(metadata.workspace_id)).toISOString(),
  actor: workerActor('calls'),
})

/** Whether a refusal is temporary, so that another attempt makes sense. */
export const willPass = ({ kind }: Refusal): boolean => kind === 'conflict' || kind === 'unavailable'

/** Reports an outcome to a process, once. @throws {Refusal} that will pass */
export const reportToProcess = async (deps: CallDeps, { process, event, by, report }: Reported): Promise<Outcome> => {
  const { id } = parseStream(event.stream)
  const { act, wanted } = report
  const asked = { aggregate: process, id, command: { type: act, wanted } }
  const result = await desk({ engine: deps.engine })(becauseOf(event, stampOf(deps, event)), asked, {
    ids: (index) => derivedId(event.id, by, act, index),
  })
  if (!(result instanceof Refusal)) return DONE
  if (willPass(result)) throw result
  return { came: 'refused', reasons: [`${by}: ${result.message}`] }
}
