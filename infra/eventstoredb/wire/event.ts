import type { AllStreamRecordedEvent as Raw } from '@eventstore/db-client'
import type { WireEvent } from './protocol.ts'

/** Units per millisecond of the server's time of an event. */
const TICKS = 10_000

/** Returns an event in the form of the client. Data that is not JSON is left out, because nothing here reads it. */
export function eventOf({ id, stream, revision, commit, metadata, customMetadata, data }: WireEvent): Raw {
  const isJson = metadata['content-type'] === 'application/json'
  const position = BigInt(commit.toNumber())
  return {
    streamId: stream.name.toString(),
    id: id.string,
    revision: BigInt(revision.toNumber()),
    type: metadata.type ?? '',
    created: new Date(Number(metadata.created ?? 0) / TICKS),
    position: { commit: position, prepare: position },
    data: isJson ? parsed(data) : undefined,
    metadata: customMetadata.length === 0 ? undefined : parsed(customMetadata),
    isJson,
  } as Raw
}

/** Returns nothing for invalid JSON, which another program may have written. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
