import type { Append, Claim, ClaimTaken } from '../../../domain/kernel/ports/event-log.ts'
import { appendAt } from '../appender.ts'
import type { Caller } from '../caller.ts'
import { AppendOutcomeUnknown } from '../errors.ts'
import { type ClaimReader, claimOf, type Holding } from './reading.ts'
import {
  type CommitPoint,
  type Holder,
  NOBODY,
  recordEvent,
  reservationStream,
  type Standing,
  sameCommit,
} from './record.ts'

/** A change of a claim that is written down and waits for its append. */
export interface Reserved {
  readonly key: string
  /** Revision of the record in the reservation stream. */
  readonly at: number
  /** What is to hold again when the append does not take place. */
  readonly otherwise: Standing
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
}

/**
 * Claims as reservation streams: one stream a key, named by a hash of it, whose last event says who holds the key.
 *
 * EventStoreDB appends to one stream at a time, so a claim cannot be in the same transaction as the events that it
 * belongs to. It is written before them and made conditional on them: "stream S holds the key if the event with this id
 * is at this revision of S; otherwise it is as before". The append to S is thereby the one moment at which all its
 * claims are taken and given back. Whoever meets a condition looks at S: the event is there (it took place), another
 * event is there (it never can), or nothing is there yet (open). An open condition counts as held; those who want the
 * key wait a moment for the decision. Records replace one another by expected revision. Keys that nobody has ever
 * claimed are reserved at once; from the first that somebody has, in the order of their hashes, so that two appends
 * cannot block one another. What was reserved for an append that is refused is put back.
 *
 * What a crash leaves behind:
 * - after a reservation, before the append: the condition stays open. The same stream may reserve over it at once. Others
 *   who want the key wait a moment; then, where the append was to begin a stream, they fence it off: something that is
 *   no event of the domain takes its place, so that it never can come. An append to a stream that is there counts as
 *   undecided for as long as it may be tried (twice the log's patience), then as if it had never been; `sweepClaims`
 *   puts it back for good.
 * - between the append and its answer, or after it: nothing. There is no further step that could be missing.
 * - while putting back: as before the append.
 *
 * An append is given up well before its reservations count as abandoned, by half the log's patience: the clocks of the
 * machines must agree better than that. The one way to two holders is a process that stands still for as long between
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
   * Reserves all that an append takes and gives back, or nothing.
   *
   * @param revision of the stream after the append
   * @param commit the append's last event; without one the changes hold at once
   * @param since when the append began: patience counts from there
   */
  async reserve(
    request: Append,
    revision: number,
    commit: CommitPoint | undefined,
    since: number,
  ): Promise<Reservation> {
    const reserved: Reserved[] = []
    const changes = changesOf(request, revision).map(
      ([key, holder]): Change => ({ key, holder, stream: request.stream, commit, since }),
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
      // A reservation that may be there changes nothing without its append, which has not been sent.
      throw commit ? error.cause : new AppendOutcomeUnknown(request.stream, [], error.cause)
    }
  }

  /** Puts down a claim of another log. @throws {Error} when somebody else holds it here */
  async keep({ key, ...holder }: Claim): Promise<void> {
    if ((await this.#write(key, -1, { holder }, Date.now())) !== undefined) return
    const found = await this.#reader.holding(key)
    if (found.holder?.stream !== holder.stream) throw new Error(`the claim ${key} is held by ${found.holder?.stream}`)
  }

  /**
   * Most keys have never been claimed, and whoever finds them so needs no order among them: all are written at once.
   *
   * @returns the changes from the first one on that is not as easy as that; what came after it is put back
   */
  async #reserveAtOnce(changes: readonly Change[], reserved: Reserved[]): Promise<readonly Change[]> {
    if (changes.some(({ holder }) => holder === null)) return changes
    const tried = await Promise.allSettled(
      changes.map(async ({ key, holder, commit, since }) => {
        const at = await this.#write(key, -1, standingOf(holder, commit, NOBODY), since)
        return at === undefined ? undefined : { key, at, otherwise: NOBODY }
      }),
    )
    const came = tried.map((each) => (each.status === 'fulfilled' ? each.value : undefined))
    const met = came.indexOf(undefined)
    const through = met < 0 ? came.length : met
    for (const each of came.slice(0, through)) if (each) reserved.push(each)
    await this.putBack(came.slice(through).filter((each) => each !== undefined))
    const failed = tried.find((each) => each.status === 'rejected')
    if (failed) throw failed.reason
    return changes.slice(through)
  }

  /** Undoes reservations; one that cannot be reached, or that somebody has built upon, is left to time. */
  async putBack(reserved: readonly Reserved[]): Promise<void> {
    const since = Date.now()
    const all = reserved.map(({ key, at, otherwise }) => this.#write(key, at, otherwise, since))
    await Promise.allSettled(all)
  }

  /** Writes the record behind the one given. @returns its revision, or nothing when somebody was faster */
  async #write(key: string, after: number, standing: Standing, since: number): Promise<number | undefined> {
    const stream = reservationStream(key)
    const result = await appendAt(this.#caller, stream, after, [recordEvent(key, standing)], since)
    return result.ok ? result.revision : undefined
  }

  /** @returns nothing when there is nothing to change */
  async #change(change: Change): Promise<Reserved | { readonly claim: Claim } | undefined> {
    const { key, holder, stream, commit, since } = change
    for (;;) {
      const found = await this.#find(change)
      const others = found.holder !== null && found.holder.stream !== stream
      if (holder === null && (others || found.holder === null)) return undefined
      if (found.holder && others) return { claim: claimOf(found) }
      const otherwise = found.open ? beneath(found.record, commit) : { holder: found.holder }
      const at = await this.#write(key, found.record.at, standingOf(holder, commit, otherwise), since)
      if (at !== undefined) return { key, at, otherwise }
    }
  }

  /** Who holds the key. An open condition is waited for, unless it is a former attempt of the same stream. */
  #find({ key, stream }: Change): Promise<Holding> {
    return this.#reader.decided(key, ({ holder }) => holder?.stream !== stream)
  }

  /** The claim that stands in the way by the order of the request, which is not the one in which keys are reserved. */
  async #firstTaken({ take = [], stream }: Append, met: Claim): Promise<Claim> {
    for (const { key } of take) {
      if (key === met.key) return met
      const claim = await this.#reader.claimed(key)
      if (claim && claim.stream !== stream) return claim
    }
    return met
  }
}

function standingOf(holder: Holder, commit: CommitPoint | undefined, otherwise: Standing): Standing {
  return commit ? { holder, when: commit, otherwise } : { holder }
}

/** What lies beneath reservations of the very same append, so that trying again does not pile them up. */
function beneath(standing: Standing, commit: CommitPoint | undefined): Standing {
  const { holder, when, otherwise } = standing
  if (when && sameCommit(when, commit)) return beneath(otherwise ?? NOBODY, commit)
  return { holder, ...(when && { when }), ...(otherwise && { otherwise }) }
}

/** The new holder of each key that changes hands, in the order in which everybody reserves. */
function changesOf(
  { stream, take = [], release = [] }: Append,
  revision: number,
): readonly (readonly [string, Holder])[] {
  const changes = new Map<string, Holder>(release.map((key) => [key, null]))
  for (const claim of take) changes.set(claim.key, holderOf(claim, stream, revision))
  return [...changes].sort(([a], [b]) => (reservationStream(a) < reservationStream(b) ? -1 : 1))
}

function holderOf({ note, until }: ClaimTaken, stream: string, revision: number): Holder {
  return { ...(note !== undefined && { note }), ...(until !== undefined && { until }), stream, revision }
}
