import type { Append } from '../../../domain/kernel/ports/event-log.ts'
import { BOOKKEEPING } from './codec.ts'

const LONGEST_STREAM = 400
const UUID = /^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i

/** @throws {Error} when an append cannot be meant so */
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
  const odd = events.find(({ id }) => !UUID.test(id))
  if (odd) throw new Error(`An event id must be a UUID for EventStoreDB: ${odd.id.slice(0, 80)}`)
}
