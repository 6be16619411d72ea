import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { isPassing } from '../workers/retry-while-unavailable.ts'

/** Store of leases that all processes share. Renewals must not make it grow. */
export interface LeaseStore {
  /**
   * Takes a lease that is free or has expired, or renews one.
   *
   * @param until milliseconds since 1970, as `now`
   * @returns whether the holder has the lease now
   */
  take(name: string, holder: string, until: number, now: number): Promise<boolean>
  /** Gives the lease back; has no effect when another holder has it. */
  release(name: string, holder: string): Promise<void>
}

/** Right to have or do something that only one process at a time may have or do. */
export interface Lease {
  /** Resolves when the lease could not be kept: the work that it covers must end at once. Never rejects. */
  readonly lost: Promise<void>
  /** Gives the lease back, so that another process need not wait for it to expire. It expires too when its store is unavailable. */
  release(): Promise<void>
}

/** Duration of a lease without renewal, and interval between renewals, in milliseconds. */
export interface Term {
  readonly lastsMs: number
  readonly renewedEveryMs: number
}

/** For work that another process should take over within 10 seconds of a crash. */
const SHORT: Term = { lastsMs: 8000, renewedEveryMs: 2000 }
const TRIED_EVERY_MS = 1000

const unlessPassing = (error: unknown): undefined => {
  if (!isPassing(error)) throw error
}

/** The leases of this process. */
export class Leases {
  readonly #store: LeaseStore
  readonly #now: () => number
  readonly #holder = randomUUID()

  constructor(store: LeaseStore, now: () => number = Date.now) {
    this.#store = store
    this.#now = now
  }

  /** Takes the lease if it is free now. */
  async tryToTake(name: string, term: Term = SHORT): Promise<Lease | undefined> {
    if (!(await this.#take(name, term))) return undefined
    const released = new AbortController()
    const lost = this.#renew(name, term, released.signal)
    return {
      lost,
      release: async () => {
        released.abort()
        await this.#store.release(name, this.#holder).catch(unlessPassing)
      },
    }
  }

  /** Waits until the lease is free. @returns nothing when the signal is aborted */
  async take(name: string, signal: AbortSignal): Promise<Lease | undefined> {
    while (!signal.aborted) {
      const lease = await this.tryToTake(name).catch(unlessPassing)
      if (lease) return lease
      await sleep(TRIED_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  #take(name: string, { lastsMs }: Term): Promise<boolean> {
    const now = this.#now()
    return this.#store.take(name, this.#holder, now + lastsMs, now)
  }

  /** Renews the lease until it is released. Resolves when another process has it, or one renewal interval before it expires. */
  async #renew(name: string, term: Term, released: AbortSignal): Promise<void> {
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

/** Work that runs in one process at a time. */
export interface Duty {
  stop(): Promise<void>
}

/**
 * Runs work whenever, and only while, this process has the lease. Stopping the result stops the work.
 *
 * @param start begins the work, which is stopped when the lease is lost
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
      if (ending.signal.aborted) await lease.release()
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
