import type { Append, Claim, ClaimToTake } from '../../../domain/kernel/ports/event-log.ts'
import { appendAt } from '../appender.ts'
import type { Caller } from '../caller.ts'
import { AppendOutcomeUnknown } from '../errors.ts'
import { type ClaimReader, claimOf, type Holding } from './reading.ts'
import {
  type ClaimState,
  type CommitPoint,
  type Holder,
  NOBODY,
  recordEvent,
  reservationStream,
  sameCommit,
} from './record.ts'

/** Change of a claim that is recorded and waits for its append. */
export interface Reserved {
  readonly key: string
  /** Revision of the record in the reservation stream. */
  readonly at: number
  /** State that holds again when the append does not take place. */
  readonly otherwise: ClaimState
}

export type Reservation =
  | { readonly ok: true; readonly reserved: readonly Reserved[] }
  | { readonly ok: false; readonly claim: Claim }

interface Change {
  readonly key: string
  readonly holder: Holder
  readonly stream: string
  readonly commit: CommitPoint | undefined
  readonly since: number
  /** It is of a number: also the same stream must not hold it already. */
  readonly isOfNumber: boolean
}

/**
 * Claims as reservation streams: one stream per key, named by a hash of the key, whose last event says who holds the key.
 *
 * EventStoreDB appends to one stream at a time, so a claim cannot be in the same transaction as the events that it
 * belongs to. It is written before them and made conditional on them: "stream S holds the key if the event with this id
 * is at this revision of S; otherwise nothing has changed". The append to S is therefore the single moment at which all
 * its claims are taken and released. A process that finds such a condition looks at S. If the event is there, the append
 * took place. If another event is there, it never can. If nothing is there yet, the condition is open. An open condition
 * counts as held, and others who want the key wait a moment for the decision. Records replace one another by expected
 * revision. Keys that were never claimed before are reserved all at once. From the first key that was, the others are
 * reserved in the order of their hashes, so that two appends cannot block one another. The reservations of a refused
 * append are put back.
 *
 * A crash leaves behind:
 * - after a reservation, before the append: an open condition. The same stream may reserve over it at once. Others who
 *   want the key wait a moment. If the append was to begin a stream, they then fence it off: an event of the adapter
 *   takes its place, so that the append can never take place. An append to an existing stream counts as undecided for
 *   twice the log's patience, in which it may still be sent, and after that as never made. `sweepClaims` puts it back for good.
 * - between the append and its answer, or after it: nothing. No further step is needed.
 * - while putting back: the same as before the append.
 *
 * An append is given up before its reservations count as abandoned. The margin is half the log's patience, and the clocks
 * of the machines must agree better than that. Two holders are possible only if a process stalls for that long between
 * the check and the send, on a connection that survives it.
 */
export class Claims {
  readonly #caller: Caller
  readonly #reader: ClaimReader

  constructor(caller: Caller, reader: ClaimReader) {
    this.#caller = caller
    this.#reader = reader
  }

  /**
   * Reserves everything that an append takes and releases, or nothing.
   *
   * @param revision of the stream after the append
   * @param commit last event of the append; without one the changes hold at once
   * @param since start of the append in milliseconds since 1970: patience counts from there
   */
  async reserve(
    request: Append,
    revision: number,
    commit: CommitPoint | undefined,
    since: number,
  ): Promise<Reservation> {
    const reserved: Reserved[] = []
    const { stream, take = [] } = request
    const ofNumbers = new Set(take.flatMap(({ key, counter }) => (counter === undefined ? [] : [key])))
    const changes = changesOf(request, revision).map(
      ([key, holder]): Change => ({ key, holder, stream, commit, since, isOfNumber: ofNumbers.has(key) }),
    )
    try {
      const left = await this.#reserveAtOnce(changes, reserved)
      for (const change of left) {
        const result = await this.#change(change)
        if (result && 'claim' in result) {
          await this.putBack(reserved)
          return { ok: false, claim: await this.#firstTaken(request, result.claim) }
        }
        if (result) reserved.push(result)
      }
      return { ok: true, reserved }
    } catch (error) {
      await this.putBack(reserved)
      if (!(error instanceof AppendOutcomeUnknown)) throw error
      // A reservation that may exist has no effect without its append, which has not been sent.
      throw commit ? error.cause : new AppendOutcomeUnknown(request.stream, [], error.cause)
    }
  }

  /** Writes a claim that comes from another log. @throws {Error} when another stream holds it here */
  async keep({ key, ...holder }: Claim): Promise<void> {
    if ((await this.#write(key, -1, { holder }, Date.now())) !== undefined) return
    const found = await this.#reader.holding(key)
    if (found.holder?.stream !== holder.stream) throw new Error(`the claim ${key} is held by ${found.holder?.stream}`)
  }

  /**
   * Reserves keys that were never claimed before, all at once. Most keys are such, and they need no order.
   *
   * @returns the changes from the first key on that was claimed before; reservations of later keys are put back
   */
  async #reserveAtOnce(changes: readonly Change[], reserved: Reserved[]): Promise<readonly Change[]> {
    if (changes.some(({ holder }) => holder === null)) return changes
    const tried = await Promise.allSettled(
      changes.map(async ({ key, holder, commit, since }) => {
        const at = await this.#write(key, -1, standingOf(holder, commit, NOBODY), since)
        return at === undefined ? undefined : { key, at, otherwise: NOBODY }
      }),
    )
    const made = tried.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
    const firstClaimed = made.indexOf(undefined)
    const count = firstClaimed < 0 ? made.length : firstClaimed
    for (const each of made.slice(0, count)) if (each) reserved.push(each)
    await this.putBack(made.slice(count).filter((each) => each !== undefined))
    const failed = tried.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    return changes.slice(count)
  }

  /** Undoes reservations. One that cannot be undone, or that has a newer record on top of it, is left to lapse. */
  async putBack(reserved: readonly Reserved[]): Promise<void> {
    const since = Date.now()
    const all = reserved.map(({ key, at, otherwise }) => this.#write(key, at, otherwise, since))
    await Promise.allSettled(all)
  }

  /** Writes the record that follows the given revision. @returns its revision, or nothing when another writer was faster */
  async #write(key: string, after: number, standing: ClaimState, since: number): Promise<number | undefined> {
    const stream = reservationStream(key)
    const result = await appendAt(this.#caller, stream, after, [recordEvent(key, standing)], since)
    return result.ok ? result.revision : undefined
  }

  /** Reserves one key. @returns nothing when there is nothing to change */
  async #change(change: Change): Promise<Reserved | { readonly claim: Claim } | undefined> {
    const { key, holder, stream, commit, since, isOfNumber } = change
    for (;;) {
      const found = await this.#find(change)
      const others = found.holder !== null && (found.holder.stream !== stream || (isOfNumber && !found.open))
      if (holder === null && (others || found.holder === null)) return undefined
      if (found.holder && others) return { claim: claimOf(found) }
      const otherwise = found.open ? beneath(found.record, commit) : { holder: found.holder }
      const at = await this.#write(key, found.record.at, standingOf(holder, commit, otherwise), since)
      if (at !== undefined) return { key, at, otherwise }
    }
  }

  /** Finds out who holds the key. Waits for an open condition, unless it is an earlier attempt of the same stream. */
  #find({ key, stream }: Change): Promise<Holding> {
    return this.#reader.decided(key, ({ holder }) => holder?.stream !== stream)
  }

  /** Returns the first claim that another stream holds, in the order of the request. Keys are reserved in another order. */
  async #firstTaken({ take = [], stream }: Append, met: Claim): Promise<Claim> {
    for (const { key } of take) {
      if (key === met.key) return met
      const claim = await this.#reader.claimed(key)
      if (claim && claim.stream !== stream) return claim
    }
    return met
  }
}

function standingOf(holder: Holder, commit: CommitPoint | undefined, otherwise: ClaimState): ClaimState {
  return commit ? { holder, when: commit, otherwise } : { holder }
}

/** Returns the state beneath reservations of the very same append, so that retries do not pile them up. */
function beneath(standing: ClaimState, commit: CommitPoint | undefined): ClaimState {
  const { holder, when, otherwise } = standing
  if (when && sameCommit(when, commit)) return beneath(otherwise ?? NOBODY, commit)
  return { holder, ...(when && { when }), ...(otherwise && { otherwise }) }
}

/** Returns the new holder of each key that changes hands, in the order in which all appends reserve. */
function changesOf(
  { stream, take = [], release = [] }: Append,
  revision: number,
): readonly (readonly [string, Holder])[] {
  const changes = new Map<string, Holder>(release.map((key) => [key, null]))
  for (const claim of take) changes.set(claim.key, holderOf(claim, stream, revision))
  return [...changes].sort(([a], [b]) => (reservationStream(a) < reservationStream(b) ? -1 : 1))
}

function holderOf({ note, until }: ClaimToTake, stream: string, revision: number): Holder {
  return { ...(note !== undefined && { note }), ...(until !== undefined && { until }), stream, revision }
}
