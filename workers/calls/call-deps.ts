import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import type { Model, RecordOf } from '../../domain/kernel/model/model.ts'
import type { Adapters } from '../../domain/kernel/ports/calls.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { StreamReader } from '../../domain/kernel/react/outbound-call.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { derivedId } from '../derived-id.ts'
import type { Clock } from '../reactor/lanes.ts'

/** Dependencies of processes. */
export interface CallDeps {
  readonly adapters: Adapters
  readonly engine: Engine
  readonly log: Pick<EventLog, 'readStream'>
  readonly ids: Ids
  readonly now: Clock
}

/** Returns a reader of streams that sees everything in the log, whatever is cached. */
export const streamsOf =
  ({ engine }: Pick<CallDeps, 'engine'>): StreamReader =>
  (aggregate, id) =>
    engine.records(aggregate, id, Number.POSITIVE_INFINITY)

/** Returns the present record of the process that an event belongs to. */
export const processOf = async (
  { engine }: CallDeps,
  process: Decider,
  { stream, revision }: RecordedEvent,
): Promise<RecordOf<Model> | undefined> => {
  const records = await engine.records(process, parseStream(stream).id, revision)
  return records.root(process.model)
}

/**
 * Returns the idempotency key of a call or command of a process, the same for every attempt. It derives from the id of the
 * first event of the process, and not from its stream, whose name another installation may use as well.
 *
 * @throws {Error} when the stream has no event
 */
export const keyOf = async ({ log }: CallDeps, { stream }: RecordedEvent, name: string): Promise<string> => {
  for await (const { id } of log.readStream(stream, { limit: 1 })) return derivedId(id, name)
  throw new Error(`${stream} has no first event`)
}
