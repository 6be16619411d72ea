import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import { bookkeeping } from '../bookkeeping.ts'
import type { Caller } from '../caller.ts'
import type { ClaimReader } from './reading.ts'
import { claimRecord, RESERVATIONS } from './record.ts'

/** Every claim that is held: asks for each key that was ever claimed, so it takes its time. */
export async function* listClaims(caller: Caller, reader: ClaimReader): AsyncGenerator<Claim> {
  for await (const records of bookkeeping(caller, RESERVATIONS, -1)) {
    const claims = await Promise.all(records.map(claimRecord).map(({ key, at }) => heldSince(reader, key, at)))
    for (const claim of claims) if (claim) yield claim
  }
}

/** The claim on a key if its last record is this one: a key that changed hands comes by more than once. */
async function heldSince(reader: ClaimReader, key: string, at: number): Promise<Claim | undefined> {
  const { record, holder } = await reader.holding(key)
  return record.at === at && holder ? { key, ...holder } : undefined
}
