import type { Decider } from '../decide/decider.ts'
import type { StreamState } from '../decide/stream-state.ts'
import type { ClaimRequest } from '../model/claim.ts'
import type { Append, Appended, EventLog } from '../ports/event-log.ts'

/** Claims that an append takes and releases, by their keys in the log. */
export interface ClaimChanges {
  readonly taken: ReadonlyMap<string, ClaimRequest>
  readonly released: readonly string[]
}

/** Maps the claims of a state by their plain values, so that only claims that are taken or released need a digest. */
const byPlainValue = (aggregate: Decider, state: StreamState) =>
  new Map(aggregate.claims(state).map((claim) => [`${claim.scope}:${claim.value}`, claim]))

/** Returns the difference between the claims of two states of an instance. */
export const claimChanges = (
  aggregate: Decider,
  before: StreamState,
  after: StreamState,
  keyOf: (claim: ClaimRequest) => string,
): ClaimChanges => {
  const claimsBefore = byPlainValue(aggregate, before)
  const claimsAfter = byPlainValue(aggregate, after)
  const released = new Set(
    [...claimsBefore].filter(([plain]) => !claimsAfter.has(plain)).map(([, claim]) => keyOf(claim)),
  )
  const added = [...claimsAfter]
    .filter(([plain]) => !claimsBefore.has(plain))
    .map(([, claim]) => [keyOf(claim), claim] as const)
  // A value that changes only in spelling keeps its key, so that claim is neither released nor taken.
  const taken = new Map(added.filter(([key]) => !released.delete(key)))
  return { taken, released: [...released] }
}

/** Appends, without those claims that are taken only where they are free and are not. */
export const appendTaking = async (
  log: Pick<EventLog, 'append'>,
  request: Append,
  taken: ReadonlyMap<string, ClaimRequest>,
): Promise<Appended> => {
  const appended = await log.append(request)
  if (appended.ok || appended.conflict === 'revision') return appended
  const { key } = appended.claim
  if (!taken.get(key)?.ifFree) return appended
  const take = (request.take ?? []).filter((one) => one.key !== key)
  return appendTaking(log, { ...request, take }, taken)
}
