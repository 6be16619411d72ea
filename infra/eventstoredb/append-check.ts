import type { Append } from '../../domain/kernel/ports/event-log.ts'
import type { NewEvent } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { BOOKKEEPING } from './wire/codec.ts'

const LONGEST_STREAM = 400
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** What the server takes in one append, unless it has been told otherwise; in bytes. */
const LARGEST_APPEND = 1024 * 1024

/**
 * @throws {Error} when an append cannot be meant so
 * @throws {Refusal} tooLarge, for one that the server would not take
 */
export function checkAppend({ stream, expected, events }: Append): void {
  if (stream.length === 0 || stream.length > LONGEST_STREAM || stream.includes('\0')) {
    throw new Error(
      `A stream name has 1 to ${LONGEST_STREAM} characters and no NUL: ${JSON.stringify(stream.slice(0, 80))}`,
    )
  }
  if (stream.startsWith('$') || stream.startsWith(BOOKKEEPING)) {
    throw new Error(`A stream name must not begin with $ or ${BOOKKEEPING}: ${JSON.stringify(stream.slice(0, 80))}`)
  }
  if (expected !== 'any' && !(Number.isInteger(expected) && expected >= -1)) {
    throw new Error(`An expected revision is 'any', -1 or the revision of an event, not ${expected}`)
  }
  if (events.some(({ type }) => type === '')) throw new Error('An event has a type')
  const odd = events.find(({ id }) => !UUID.test(id))
  if (odd) throw new Error(`An event id must be a UUID for EventStoreDB: ${odd.id.slice(0, 80)}`)
  const size = events.reduce((sum, event) => sum + sizeOf(event), 0)
  if (size > LARGEST_APPEND) {
    throw appendTooLarge(LARGEST_APPEND)
  }
}

/** @param limit of the server, in bytes */
export function appendTooLarge(limit: number) {
  return refuse.tooLarge(`what one change records may come to at most ${limit.toLocaleString('en-US')} bytes here`)
}

/** As the server counts, in bytes. */
function sizeOf({ type, data, metadata }: NewEvent): number {
  return 2 * type.length + Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata))
}
