import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../workers/retry-while-unavailable.ts'

/** Where leases are written down: a place that all processes share, and that does not grow by it. */
export interface LeaseStore {
  /**
   * Takes a lease that is free or has run out, or renews one.
   *
   * @param until milliseconds since 1970, as `now`
   * @returns whether the holder has it
   */
  take(name: string, holder: string, until: number, now: number): Promise<boolean>
  /** Gives it back; without effect when somebody else has it. */
  release(name: string, holder: string): Promise<void>
}

/** Something that one process at a time may have or do. */
export interface Lease {
  /** Resolves when the lease could not be kept: what it stood for must end at once. Never rejects. */
  readonly lost: Promise<void>
  /** Gives it back, so that another process need not wait for it to run out. */
  release(): Promise<void>
}

/** How long a lease lasts without being renewed, in milliseconds, and how often it is renewed. */
export interface Term {
  readonly lastsMs: number
  readonly renewedEveryMs: number
}

/** For what another process should soon take over: within 10 seconds of a death. */
const SHORT: Term = { lastsMs: 8000, renewedEveryMs: 2000 }
const TRIED_EVERY_MS = 1000

/** The leases of this process. */
export class Leases {
  readonly #book: LeaseStore
  readonly #now: () => number
  readonly #holder = randomUUID()

  constructor(book: LeaseStore, now: () => number = Date.now) {
    this.#book = book
    this.#now = now
  }

  /** The lease, if it is free now. */
  async tryToTake(name: string, term: Term = SHORT): Promise<Lease | undefined> {
    if (!(await this.#take(name, term))) return undefined
    const released = new AbortController()
    const lost = this.#keep(name, term, released.signal)
    return {
      lost,
      release: async () => {
        released.abort()
        await this.#book.release(name, this.#holder)
      },
    }
  }

  /** Waits until the lease is free. @returns nothing when told to stop waiting */
  async take(name: string, signal: AbortSignal): Promise<Lease | undefined> {
    while (!signal.aborted) {
      const lease = await this.tryToTake(name).catch((error: unknown) => {
        if (!isPassing(error)) throw error
      })
      if (lease) return lease
      await sleep(TRIED_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  #take(name: string, { lastsMs }: Term): Promise<boolean> {
    const now = this.#now()
    return this.#book.take(name, this.#holder, now + lastsMs, now)
  }

  /** Renews until it is released; resolves when that has not succeeded for so long that another process may have it. */
  async #keep(name: string, term: Term, released: AbortSignal): Promise<void> {
    const { lastsMs, renewedEveryMs } = term
    let heldUntil = performance.now() + lastsMs
    while (!released.aborted) {
      await sleep(renewedEveryMs, undefined, { signal: released, ref: false }).catch(() => undefined)
      if (released.aborted) break
      const began = performance.now()
      const renewed = await Promise.race([
        this.#take(name, term).catch(() => undefined),
        sleep(Math.max(0, heldUntil - renewedEveryMs - began), undefined, { ref: false }),
      ])
      if (renewed === false) return
      if (renewed) heldUntil = began + lastsMs
      else if (performance.now() >= heldUntil - renewedEveryMs) return
    }
    return new Promise(() => undefined)
  }
}

/** Something that runs in one process at a time. */
export interface Duty {
  stop(): Promise<void>
}

/**
 * Does something whenever, and only while, this process has the lease.
 *
 * @param start begins it; what it gives is stopped when the lease is lost or everything ends
 */
export const whileHolding = (
  leases: Leases,
  name: string,
  start: () => Promise<Duty>,
  onFatal: (error: unknown) => void,
): Duty => {
  const ending = new AbortController()
  const ended = new Promise<void>((resolve) => ending.signal.addEventListener('abort', () => resolve()))
  const work = async () => {
    while (!ending.signal.aborted) {
      const lease = await leases.take(name, ending.signal)
      if (!lease) return
      const duty = await start().catch(async (error: unknown) => {
        if (!isPassing(error)) throw error
        await lease.release()
        await sleep(TRIED_EVERY_MS, undefined, { signal: ending.signal }).catch(() => undefined)
      })
      if (!duty) continue
      await Promise.race([lease.lost, ended])
      await duty.stop()
      // One that cannot be given back runs out.
      if (ending.signal.aborted) await lease.release().catch(() => undefined)
    }
  }
  const working = work().catch(onFatal)
  return {
    async stop() {
      ending.abort()
      await working
    },
  }
}
