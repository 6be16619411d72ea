import type { Append } from '../../domain/kernel/ports/event-log.ts'
import type { NewEvent } from '../../domain/kernel/values/event.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import { BOOKKEEPING } from './wire/codec.ts'

const LONGEST_STREAM = 400
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** Largest append that the server accepts by default, in bytes. */
const LARGEST_APPEND = 1024 * 1024

/**
 * Checks an append before it is sent.
 *
 * @throws {Error} when a stream name, a revision, an event type or an event id is not valid
 * @throws {Refusal} tooLarge, when the server would not accept it
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
  const invalid = events.find(({ id }) => !UUID.test(id))
  if (invalid) throw new Error(`An event id must be a UUID for EventStoreDB: ${invalid.id.slice(0, 80)}`)
  const size = events.reduce((sum, event) => sum + sizeOf(event), 0)
  if (size > LARGEST_APPEND) {
    throw appendTooLarge(LARGEST_APPEND)
  }
}

/** Returns the refusal of an append that is too large. @param limit of the server, in bytes */
export function appendTooLarge(limit: number) {
  return refuse.tooLarge(`what one change records may come to at most ${limit.toLocaleString('en-US')} bytes here`)
}

/** Size of an event as the server counts it, in bytes. */
function sizeOf({ type, data, metadata }: NewEvent): number {
  return 2 * type.length + Buffer.byteLength(JSON.stringify(data)) + Buffer.byteLength(JSON.stringify(metadata))
}
