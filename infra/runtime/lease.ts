import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'

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

/** Leases are claims that run out, in the one place that all processes share: the log. */
export class Leases {
  readonly #log: EventLog
  readonly #now: () => number
  /** Claims belong to streams; this one stands for the process, and no event is ever in it. */
  readonly #stream = `lease-${randomUUID()}`

  constructor(log: EventLog, now: () => number = Date.now) {
    this.#log = log
    this.#now = now
  }

  /** The lease, if it is free now. */
  async tryToTake(name: string, term: Term = SHORT): Promise<Lease | undefined> {
    const key = `lease:${name}`
    if (!(await this.#take(key, term))) return undefined
    const released = new AbortController()
    const lost = this.#keep(key, term, released.signal)
    return {
      lost,
      release: async () => {
        released.abort()
        await this.#log.append({ stream: this.#stream, expected: 'any', events: [], release: [key] })
      },
    }
  }

  /** Waits until the lease is free. @returns nothing when told to stop waiting */
  async take(name: string, signal: AbortSignal): Promise<Lease | undefined> {
    while (!signal.aborted) {
      const lease = await this.tryToTake(name)
      if (lease) return lease
      await sleep(TRIED_EVERY_MS, undefined, { signal }).catch(() => undefined)
    }
    return undefined
  }

  async #take(key: string, { lastsMs }: Term): Promise<boolean> {
    const take = [{ key, until: this.#now() + lastsMs }]
    const result = await this.#log.append({ stream: this.#stream, expected: 'any', events: [], take })
    return result.ok
  }

  /** Renews until it is released; resolves when that has not succeeded for so long that another process may have it. */
  async #keep(key: string, term: Term, released: AbortSignal): Promise<void> {
    const { lastsMs, renewedEveryMs } = term
    let heldUntil = performance.now() + lastsMs
    while (!released.aborted) {
      await sleep(renewedEveryMs, undefined, { signal: released, ref: false }).catch(() => undefined)
      if (released.aborted) break
      const began = performance.now()
      const renewed = await Promise.race([
        this.#take(key, term).catch(() => undefined),
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
      const duty = await start()
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
