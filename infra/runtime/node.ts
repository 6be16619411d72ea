import { setTimeout as sleep } from 'node:timers/promises'
import { MAX_NODES } from '../../domain/kernel/values/ids.ts'
import { refuse } from '../../domain/kernel/values/refusal.ts'
import type { Lease, Leases, Term } from '../leases.ts'

/** Long, because no process waits for a number to become free. */
const TERM: Term = { lastsMs: 120_000, renewedEveryMs: 10_000 }
const AGAIN_MS = 1000

/** Number under which a process mints ids. No two processes have the same one at a time. */
export interface Node {
  /** @throws {Refusal} unavailable, while the lease is lost and no other number is taken yet */
  number(): number
  release(): Promise<void>
}

/** Node of a process that shares its log with no other, and needs no lease. */
export const ALONE: Node = { number: () => 0, release: async () => undefined }

const tryToTake = async (leases: Leases): Promise<{ readonly number: number; readonly lease: Lease } | undefined> => {
  for (let number = 0; number < MAX_NODES; number++) {
    const lease = await leases.tryToTake(`node:${number}`, TERM)
    if (lease) return { number, lease }
  }
  return undefined
}

/**
 * Takes a free node number, and another one when its lease is lost, as in a long outage.
 *
 * @throws {Error} when all are taken
 */
export const takeNode = async (leases: Leases): Promise<Node> => {
  const first = await tryToTake(leases)
  if (!first)
    throw new Error(`all ${MAX_NODES} node numbers are taken: stop a process, or wait for a dead one's to run out`)
  let current: typeof first | undefined
  const released = new AbortController()
  const adopt = (taken: typeof first) => {
    current = taken
    void taken.lease.lost.then(async () => {
      current = undefined
      while (!current && !released.signal.aborted) {
        const other = await tryToTake(leases).catch(() => undefined)
        if (other) adopt(other)
        else await sleep(AGAIN_MS, undefined, { signal: released.signal, ref: false }).catch(() => undefined)
      }
    })
  }
  adopt(first)
  return {
    number() {
      if (current) return current.number
      throw refuse.unavailable('this process has no number to make ids with at the moment')
    },
    async release() {
      released.abort()
      await current?.lease.release()
    },
  }
}
