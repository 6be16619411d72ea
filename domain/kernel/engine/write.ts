import type { EventLog } from '../ports/event-log.ts'
import type { RecordedEvent } from '../values/event.ts'

/** Events of one write: appended to one stream together. */
export type Write = readonly RecordedEvent[]

/** Whether two events of a log were appended together. */
export const isOneWrite = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream &&
  one.metadata.$causationId === other.metadata.$causationId &&
  one.metadata.at === other.metadata.at

/**
 * Whether an event was appended together with the one before it. Two writes that one client made in the same millisecond under the same
 * request id count as one: nothing is lost by it, since what is published shows the state after both.
 */
export const continues = (before: RecordedEvent, event: RecordedEvent): boolean =>
  event.revision === before.revision + 1 && isOneWrite(before, event)

/** Events of a stream that are read before one whose write is wanted. */
const LOOK_BACK = 16

/** All events that were appended together with one. */
export const writeAround = async (log: Pick<EventLog, 'readStream'>, event: RecordedEvent): Promise<Write> => {
  for (let back = LOOK_BACK; ; back *= 4) {
    const from = Math.max(0, event.revision - back)
    const write = await contiguous(log, event, from)
    if (write[0]!.revision > from || from === 0) return write
  }
}

const contiguous = async (log: Pick<EventLog, 'readStream'>, event: RecordedEvent, from: number): Promise<Write> => {
  let write: RecordedEvent[] = []
  for await (const next of log.readStream(event.stream, { from })) {
    const last = write.at(-1)
    if (last && continues(last, next)) write.push(next)
    else if (next.revision > event.revision) break
    else write = [next]
  }
  return write
}
