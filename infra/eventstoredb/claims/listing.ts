import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import { bookkeeping } from '../bookkeeping.ts'
import type { Caller } from '../caller.ts'
import type { ClaimReader } from './reading.ts'
import { claimRecord, RESERVATIONS } from './record.ts'

/** Yields every claim that is held. It is slow, because it looks up each key that was ever claimed. */
export async function* listClaims(caller: Caller, reader: ClaimReader): AsyncGenerator<Claim> {
  for await (const records of bookkeeping(caller, RESERVATIONS, -1)) {
    const claims = await Promise.all(records.map(claimRecord).map(({ key, at }) => claimAt(reader, key, at)))
    for (const claim of claims) if (claim) yield claim
  }
}

/** Returns the claim on a key if its last record is at this revision. A key that changed hands has several records. */
async function claimAt(reader: ClaimReader, key: string, at: number): Promise<Claim | undefined> {
  const { record, holder } = await reader.holding(key)
  return record.at === at && holder ? { key, ...holder } : undefined
}
