import shared from '@eventstore/db-client/generated/shared_pb.js'
import streams, { type AppendReq, type ReadResp } from '@eventstore/db-client/generated/streams_pb.js'
import { Metadata, type ServiceError, status } from '@grpc/grpc-js'
import type { MemoryStore, Proposed, Stored } from './memory-store.ts'

const TICKS_PER_MILLISECOND = 10_000n

type ProposedMessage = AppendReq.ProposedMessage

/** An error in the form of the real server, with `exception` and its details as metadata. */
export function failure(code: status, details: string, exception: Readonly<Record<string, string>> = {}): ServiceError {
  const metadata = new Metadata()
  for (const [key, value] of Object.entries(exception)) metadata.set(key, value)
  return Object.assign(new Error(details), { code, details, metadata })
}

export const notReady = () => failure(status.UNAVAILABLE, 'Server Is Not Ready')

/** @throws {ServiceError} for a position at which no record begins, unless it is after all records */
export function indexOfRecord(store: MemoryStore, position: number, says: string): number {
  const index = store.indexAt(position)
  if (position > 0 && store.events[index] && store.events[index].position !== position)
    throw failure(status.UNKNOWN, says)
  return index
}

/** @throws {ServiceError} when the message lacks a field that the real server requires */
export function proposedOf(
  message: Pick<ProposedMessage, 'getId' | 'getMetadataMap' | 'getData_asU8' | 'getCustomMetadata_asU8'>,
): Proposed {
  const id = message.getId()?.getString() ?? ''
  const type = message.getMetadataMap().get('type')
  const contentType = message.getMetadataMap().get('content-type')
  if (!/^[0-9a-f]{8}(-[0-9a-f]{4}){3}-[0-9a-f]{12}$/i.test(id))
    throw failure(status.INVALID_ARGUMENT, `not a UUID: ${id}`)
  if (!type || !contentType) throw failure(status.INVALID_ARGUMENT, 'Required Metadata Property is missing')
  return { id, type, contentType, data: message.getData_asU8(), metadata: message.getCustomMetadata_asU8() }
}

export function streamName(identifier: { getStreamName_asU8(): Uint8Array } | undefined): string {
  return identifier ? Buffer.from(identifier.getStreamName_asU8()).toString('utf8') : ''
}

export function identifierOf(stream: string) {
  return new shared.StreamIdentifier().setStreamName(Buffer.from(stream).toString('base64'))
}

export function eventResponse(event: Stored): ReadResp {
  const position = String(event.position)
  const recorded = new streams.ReadResp.ReadEvent.RecordedEvent()
    .setId(new shared.UUID().setString(event.id))
    .setStreamIdentifier(identifierOf(event.stream))
    .setStreamRevision(String(event.revision))
    .setPreparePosition(position)
    .setCommitPosition(position)
    .setData(event.data)
    .setCustomMetadata(event.metadata)
  recorded
    .getMetadataMap()
    .set('type', event.type)
    .set('content-type', event.contentType)
    .set('created', String(BigInt(event.created) * TICKS_PER_MILLISECOND))
  const read = new streams.ReadResp.ReadEvent().setEvent(recorded).setCommitPosition(position)
  return new streams.ReadResp().setEvent(read)
}

export function checkpointResponse(position: number): ReadResp {
  const at = String(position)
  return new streams.ReadResp().setCheckpoint(
    new streams.ReadResp.Checkpoint().setCommitPosition(at).setPreparePosition(at),
  )
}

export function notFoundResponse(stream: string): ReadResp {
  return new streams.ReadResp().setStreamNotFound(
    new streams.ReadResp.StreamNotFound().setStreamIdentifier(identifierOf(stream)),
  )
}
