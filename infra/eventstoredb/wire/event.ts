import type { AllStreamRecordedEvent as Raw } from '@eventstore/db-client'
import type { WireEvent } from './protocol.ts'

/** Parts of a millisecond in which the server says when it has written an event. */
const TICKS = 10_000

/** An event as the client gives it, when what it holds is JSON; the others are nobody's business here and come without their data. */
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

/** Somebody else may have written what is not even JSON. */
function parsed(bytes: Buffer): unknown {
  try {
    return JSON.parse(bytes.toString())
  } catch {
    return undefined
  }
}
