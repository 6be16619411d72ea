import type { Claim } from '../../../domain/kernel/ports/event-log.ts'
import { pause } from '../backoff.ts'
import type { Caller } from '../caller.ts'
import { eventAt, lastOf } from '../stream-reading.ts'
import { fenceOff, isFencedOff } from './fence.ts'
import {
  type ClaimRecord,
  type ClaimState,
  type CommitPoint,
  claimRecord,
  type Holder,
  NOBODY,
  reservationStream,
} from './record.ts'

/** Longest wait for the decision of an append that is under way, as a share of the log's patience. */
const DECISION = 1 / 15
const LOOK_AGAIN_MS = 5
const LOOK_AGAIN_AT_MOST_MS = 100

/** Holder of a key, as far as is known at the moment. */
export interface Holding {
  readonly record: ClaimRecord
  readonly holder: Holder
  /** The append that decides is under way, or its writer is dead. */
  readonly open: boolean
}

/** Returns the claim of the holder, which there must be. */
export const claimOf = ({ record: { key }, holder, open }: Holding): Claim => ({
  key,
  ...holder!,
  ...(open && { undecided: true }),
})

/** Finds out who holds a key. */
export class ClaimReader {
  readonly #caller: Caller
  readonly #now: () => number
  /** Milliseconds after which a reservation whose append is not there counts as abandoned. */
  readonly #abandonedAfterMs: number

  constructor(caller: Caller, now: () => number, abandonedAfterMs: number) {
    this.#caller = caller
    this.#now = now
    this.#abandonedAfterMs = abandonedAfterMs
  }

  async claimed(key: string): Promise<Claim | undefined> {
    const holding = await this.decided(key, () => true)
    return holding.holder ? claimOf(holding) : undefined
  }

  /** @param waits whether to wait a moment for the decision, and then to force it, when the holding is open */
  async decided(key: string, waits: (holding: Holding) => boolean): Promise<Holding> {
    const until = Date.now() + this.#caller.options.patienceMs * DECISION
    for (let wait = LOOK_AGAIN_MS; ; wait = Math.min(wait * 2, LOOK_AGAIN_AT_MOST_MS)) {
      const holding = await this.holding(key)
      if (!holding.open || !waits(holding)) return holding
      if (Date.now() > until) return this.#forceDecision(holding)
      await pause(wait, this.#caller.signal)
    }
  }

  async #forceDecision(holding: Holding): Promise<Holding> {
    const { when } = holding.record
    return when && (await fenceOff(this.#caller, when)) ? this.holding(holding.record.key) : holding
  }

  async holding(key: string): Promise<Holding> {
    const raw = await lastOf(this.#caller, reservationStream(key))
    const record = raw ? claimRecord(raw) : { ...NOBODY, key, at: -1, writtenAt: 0 }
    return this.settle(record, this.#abandonedAfterMs)
  }

  /** Resolves a record by looking up which appends took place. */
  async settle(record: ClaimRecord, abandonedAfterMs: number): Promise<Holding> {
    const abandoned = this.#now() - record.writtenAt > abandonedAfterMs
    const { holder, open } = await this.#resolve(record, abandoned)
    const expired = holder?.until !== undefined && holder.until <= this.#now()
    return { record, holder: expired ? null : holder, open }
  }

  async #resolve(
    { holder, when, otherwise }: ClaimState,
    abandoned: boolean,
  ): Promise<Pick<Holding, 'holder' | 'open'>> {
    if (!when) return { holder, open: false }
    const decision = await this.#decision(when)
    if (decision === 'took place') return { holder, open: false }
    const before = await this.#resolve(otherwise ?? NOBODY, abandoned)
    if (decision === 'never' || abandoned) return before
    return { holder: holder ?? before.holder, open: true }
  }

  async #decision({ stream, revision, id }: CommitPoint): Promise<'took place' | 'never' | 'open'> {
    const event = await eventAt(this.#caller, stream, revision)
    if (!event) return revision > 0 && (await isFencedOff(this.#caller, stream)) ? 'never' : 'open'
    return event.id.toLowerCase() === id.toLowerCase() ? 'took place' : 'never'
  }
}
