import type { ClaimRequest } from '../model/claim.ts'
import type { EventLog } from '../ports/event-log.ts'
import { refuse } from '../values/refusal.ts'
import { parseStream } from '../values/stream-name.ts'
import type { Engine } from './engine.ts'

interface HolderDeps {
  readonly log: Pick<EventLog, 'claimed'>
  readonly engine: Pick<Engine, 'claimKey'>
}

/** Returns the id of the record whose stream holds one of these claims. @throws {Refusal} unavailable, while a claim is undecided */
export const holderOf = async (
  { log, engine }: HolderDeps,
  claims: readonly ClaimRequest[],
): Promise<number | undefined> => {
  for (const claim of claims) {
    const held = await log.claimed(engine.claimKey(claim))
    if (held?.undecided) throw refuse.unavailable('the same is being done; try again')
    if (held) return parseStream(held.stream).id
  }
  return undefined
}
