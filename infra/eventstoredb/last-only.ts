import type { Caller } from './caller.ts'

/** Lets the server forget all but the last event of a stream, for one that only says where something stands. */
export async function keepLast(caller: Caller, stream: string): Promise<void> {
  await caller.ask((client) => client.setStreamMetadata(stream, { maxCount: 1 }, { requiresLeader: true }))
}
