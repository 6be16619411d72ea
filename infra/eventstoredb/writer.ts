import { randomUUID } from 'node:crypto'
import { jsonEvent } from '@eventstore/db-client'
import type { Counters } from '../../domain/kernel/ports/counters.ts'
import type { Append, Appended } from '../../domain/kernel/ports/event-log.ts'
import type { NewEvent } from '../../domain/kernel/values/event.ts'
import { claimsNumbered, type NumbersTaken, numbered } from '../../domain/kernel/values/sequence-numbers.ts'
import type { AllReader } from './all-reading.ts'
import { appendAt } from './appender.ts'
import type { Caller } from './caller.ts'
import type { Claims, Reserved } from './claims/claims.ts'
import { isFencedOff } from './claims/fence.ts'
import type { CommitPoint } from './claims/record.ts'
import { AppendOutcomeUnknown, EventStoreUnavailable } from './errors.ts'
import { NumberPool } from './numbers-in-hand.ts'
import type { Repeats } from './repeats.ts'
import { lastRevision } from './stream-reading.ts'
import { BOOKKEEPING, proposed } from './wire/codec.ts'

/** Revision at which an append is tried, or its answer when there is nothing to try. */
type Plan = { readonly at: number } | { readonly answer: Appended }

/** Carries out appends with their claims. */
export class Writer {
  readonly #caller: Caller
  readonly #reader: AllReader
  readonly claims: Claims
  readonly #repeats: Repeats
  readonly #numbers: NumberPool

  constructor(caller: Caller, reader: AllReader, claims: Claims, repeats: Repeats, counters: Counters) {
    this.#numbers = new NumberPool(counters)
    this.#caller = caller
    this.#reader = reader
    this.claims = claims
    this.#repeats = repeats
  }

  /** Takes numbers first. Those whose keys are held are passed over, and others are taken. */
  async append(request: Append): Promise<Appended> {
    const { numbers: counters = [], events, take = [] } = request
    if (counters.length === 0) return this.#append(request)
    for (;;) {
      const numbers = await this.#numbers.take(counters)
      const claims = claimsNumbered(take, numbers)
      const result = await this.#appendNumbered(
        { ...request, events: numbered(events, numbers), take: claims },
        numbers,
      )
      if (counterOf(claims, result) === undefined) return result
    }
  }

  /** Gives the numbers back when the append does not take place, except for one whose key is held. The next append of this process then uses them. */
  async #appendNumbered(request: Append, numbers: NumbersTaken): Promise<Appended> {
    try {
      const result = await this.#append(request)
      if (result.ok && !result.repeated) return { ...result, numbers }
      const passed = counterOf(request.take, result)
      this.#numbers.giveBack(Object.fromEntries(Object.entries(numbers).filter(([counter]) => counter !== passed)))
      return result
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown)) this.#numbers.giveBack(numbers)
      throw error
    }
  }

  async #append(request: Append): Promise<Appended> {
    for (;;) {
      const plan = await this.#plan(request)
      if ('answer' in plan) return plan.answer
      const result = await this.#appendAt(request, plan.at)
      // At any revision, a conflict means that another writer has made progress, so the loop ends at some time.
      if (result.ok || result.conflict !== 'revision' || request.expected !== 'any') return result
    }
  }

  async #plan({ stream, expected, events, repeatable }: Append): Promise<Plan> {
    if (repeatable && events.length > 0) {
      const { last, found } = await this.#repeats.search(stream, events)
      const latest = found.at(-1)
      if (latest && found.length === events.length) return { answer: { ok: true, ...latest, repeated: true } }
      const fits = found.length === 0 && (expected === 'any' || expected === last)
      return fits ? { at: last } : { answer: { ok: false, conflict: 'revision', actual: last } }
    }
    // The append of an event detects a conflict by itself. At any revision, the last one must be looked up.
    if (expected !== 'any' && events.length > 0) return { at: expected }
    const last = await lastRevision(this.#caller, stream)
    const fits = expected === 'any' || expected === last
    return fits ? { at: last } : { answer: { ok: false, conflict: 'revision', actual: last } }
  }

  async #appendAt(request: Append, expected: number): Promise<Appended> {
    const { stream, take = [], release = [] } = request
    const since = Date.now()
    const revision = expected + request.events.length
    const commit = commitPoint(request, revision)
    let reserved: readonly Reserved[] = []
    if (take.length + release.length > 0) {
      const reservation = await this.claims.reserve(request, revision, commit, since)
      if (!reservation.ok) {
        const actual = await lastRevision(this.#caller, stream)
        if (actual === expected) return { ok: false, conflict: 'claim', claim: reservation.claim }
        await this.#mustNotBeFencedOff(request)
        return { ok: false, conflict: 'revision', actual }
      }
      reserved = reservation.reserved
    }
    try {
      const result = await this.#commit(request, expected, commit, since)
      if (result.ok) return result
      await this.claims.putBack(reserved)
      await this.#mustNotBeFencedOff(request)
      return result
    } catch (error) {
      if (!(error instanceof AppendOutcomeUnknown)) await this.claims.putBack(reserved)
      throw error
    }
  }

  /** @throws {EventStoreUnavailable} when the append took so long that another process has fenced it off */
  async #mustNotBeFencedOff({ stream, expected }: Append): Promise<void> {
    if (expected !== -1 || !(await isFencedOff(this.#caller, stream))) return
    throw new EventStoreUnavailable(
      `EventStoreDB at ${this.#caller.connection.address} is too slow: an append to ${stream} was kept from coming late`,
    )
  }

  async #commit(
    { stream, events, repeatable }: Append,
    expected: number,
    commit: CommitPoint | undefined,
    since: number,
  ): Promise<Appended> {
    if (Date.now() - since >= this.#caller.options.patienceMs) {
      throw new EventStoreUnavailable(
        `EventStoreDB at ${this.#caller.connection.address} is too slow: an append was given up`,
      )
    }
    if (events.length === 0) {
      if (commit) await appendAt(this.#caller, commit.stream, -1, [commitEvent(commit)], since)
      const position = await afterwards(stream, [], () => this.#reader.lastPosition())
      return { ok: true, revision: expected, position, repeated: false }
    }
    const result = await appendAt(this.#caller, stream, expected, events.map(proposed), since)
    if (!result.ok) return { ok: false, conflict: 'revision', actual: result.actual }
    this.#reader.saw(result.position)
    if (!repeatable) return { ...result, repeated: false }
    const query = () => this.#repeats.isFromAnotherWriter(stream, result.revision, events)
    return { ...result, repeated: await afterwards(stream, events, query) }
  }
}

/** Returns the counter of the number whose key is held, if that is why nothing was appended. */
function counterOf(take: Append['take'], result: Appended): string | undefined {
  if (result.ok || result.conflict !== 'claim') return undefined
  return take?.find(({ key }) => key === result.claim.key)?.counter
}

/**
 * Runs a query after everything has been written.
 *
 * @throws {AppendOutcomeUnknown} when the query fails, because the append can no longer be undone
 */
async function afterwards<T>(stream: string, events: readonly NewEvent[], query: () => Promise<T>): Promise<T> {
  try {
    return await query()
  } catch (error) {
    const ids = events.map(({ id }) => id)
    throw new AppendOutcomeUnknown(stream, ids, error as Error)
  }
}

/**
 * Returns the event that decides whether the claims of an append change hands. None is needed for at most one claim without events.
 */
function commitPoint({ stream, events, take = [], release = [] }: Append, revision: number): CommitPoint | undefined {
  const last = events.at(-1)
  if (last) return { stream, revision, id: last.id }
  if (take.length + release.length < 2) return undefined
  const id = randomUUID()
  return { stream: `${BOOKKEEPING}commit-${id}`, revision: 0, id }
}

function commitEvent({ id }: CommitPoint) {
  return jsonEvent({ id, type: 'ClaimsCommitted', data: {} })
}
