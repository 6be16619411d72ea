import type { Caller } from './caller.ts'

/** Lets the server discard all but the last event of a stream, when only the latest state matters. */
export async function keepLast(caller: Caller, stream: string): Promise<void> {
  await caller.ask((client) => client.setStreamMetadata(stream, { maxCount: 1 }, { requiresLeader: true }))
}
