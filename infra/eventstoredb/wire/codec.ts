import { jsonEvent, type RecordedEvent as Raw } from '@eventstore/db-client'
import type { JsonObject, Metadata, NewEvent, RecordedEvent } from '../../../domain/kernel/values/event.ts'

/** Prefix for the names of the adapter's own streams. */
export const BOOKKEEPING = '~'

/** Pattern for the names of streams of the domain: neither the server's own nor the adapter's. */
export const DOMAIN_STREAMS = `^[^$${BOOKKEEPING}]`
const ours = new RegExp(DOMAIN_STREAMS)

/** Returns an event in the form that the client takes. */
export function proposed({ id, type, data, metadata }: NewEvent) {
  return jsonEvent({ id, type, data: { ...data }, metadata: { ...metadata } })
}

/**
 * Returns an event in the form of the port, or nothing for one that this adapter did not write: a link, or an event that a projection or a person
 * has put into the same database.
 *
 * @throws {Error} when the server does not give the position of the event
 */
export function recorded(raw: Raw): RecordedEvent | undefined {
  const { streamId, id, revision, type, data, metadata, isJson } = raw
  if (!isJson || type.startsWith('$') || !isOurs(metadata) || !ours.test(streamId)) return undefined
  return {
    stream: streamId,
    revision: Number(revision),
    position: positionOf(raw),
    id,
    type,
    data: data as JsonObject,
    metadata,
  }
}

/** Returns the offset of an event in the server's log, far below 2^53. @throws {Error} when the server does not give it */
export function positionOf({ position }: Raw): number {
  const offset = Number(position?.commit ?? Number.NaN)
  if (Number.isSafeInteger(offset)) return offset
  throw new Error('it does not give the position of an event in a stream, as EventStoreDB does from version 22.10 on')
}

function isOurs(metadata: unknown): metadata is Metadata {
  return typeof metadata === 'object' && metadata !== null && 'at' in metadata && typeof metadata.at === 'string'
}
