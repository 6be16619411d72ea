import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_NODES } from '../../domain/kernel/values/ids.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Lease, Leases, Term } from '../leases.ts'

/** Long, because nobody waits for a number. */
const TERM: Term = { lastsMs: 120_000, renewedEveryMs: 10_000 }
const AGAIN_MS = 1000

/** The number under which a process mints ids; no two processes have the same at a time. */
export interface Node {
  /** @throws {Refusal} unavailable, while the number could not be kept and there is no other yet */
  number(): number
  release(): Promise<void>
}

/** A process that shares its log with none needs no lease. */
export const ALONE: Node = { number: () => 0, release: async () => undefined }

const tryToTake = async (leases: Leases): Promise<{ readonly number: number; readonly lease: Lease } | undefined> => {
  for (let number = 0; number < MAX_NODES; number++) {
    const lease = await leases.tryToTake(`node:${number}`, TERM)
    if (lease) return { number, lease }
  }
  return undefined
}

/**
 * Takes a node number that is free, and another one when it could not be kept, as in a long outage.
 *
 * @throws {Error} when all are taken
 */
export const takeNode = async (leases: Leases): Promise<Node> => {
  const first = await tryToTake(leases)
  if (!first)
    throw new Error(`all ${MAX_NODES} node numbers are taken: stop a process, or wait for a dead one's to run out`)
  let held: typeof first | undefined
  const released = new AbortController()
  const hold = (taken: typeof first) => {
    held = taken
    void taken.lease.lost.then(async () => {
      held = undefined
      while (!held && !released.signal.aborted) {
        const other = await tryToTake(leases).catch(() => undefined)
        if (other) hold(other)
        else await sleep(AGAIN_MS, undefined, { signal: released.signal, ref: false }).catch(() => undefined)
      }
    })
  }
  hold(first)
  return {
    number() {
      if (held) return held.number
      throw refuse.unavailable('this process has no number to make ids with at the moment')
    },
    async release() {
      released.abort()
      await held?.lease.release()
    },
  }
}
