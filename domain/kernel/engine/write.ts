import type { EventLog } from '../ports/event-log.ts'
import type { RecordedEvent } from '../values/event.ts'

/** Events of one write: they were appended to a stream together. */
export type Write = readonly RecordedEvent[]

/** Tells whether two events of a log were appended together. */
export const isOneWrite = (one: RecordedEvent, other: RecordedEvent): boolean =>
  one.stream === other.stream &&
  one.metadata.$causationId === other.metadata.$causationId &&
  one.metadata.at === other.metadata.at

/**
 * Tells whether an event was appended together with the one before it. Two writes that a client makes in the same millisecond under the same
 * request id count as one. Nothing is lost by that, since publications show the state after both.
 */
export const isSameWriteAsPrevious = (before: RecordedEvent, event: RecordedEvent): boolean =>
  event.revision === before.revision + 1 && isOneWrite(before, event)

/** Number of events that are read before an event to find the beginning of its write. */
const LOOK_BACK = 16

/** Returns all events that were appended together with an event, including it. */
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
    if (last && isSameWriteAsPrevious(last, next)) write.push(next)
    else if (next.revision > event.revision) break
    else write = [next]
  }
  return write
}
