import { MAX_NODES } from '../../domain/kernel/id.ts'
import type { Lease, Leases, Term } from './lease.ts'

/** Long, because nobody waits for a number, and a process that has lost its own must end. */
const TERM: Term = { lastsMs: 120_000, renewedEveryMs: 10_000 }

/** The number under which a process mints ids; no two processes have the same at a time. */
export interface Node {
  readonly number: number
  release(): Promise<void>
}

/**
 * Takes a node number that is free.
 *
 * @param onLost told when it could not be kept: the process must mint nothing more
 * @throws {Error} when all are taken
 */
export const takeNode = async (leases: Leases, onLost: (error: unknown) => void): Promise<Node> => {
  for (let number = 0; number < MAX_NODES; number++) {
    const lease: Lease | undefined = await leases.tryToTake(`node:${number}`, TERM)
    if (!lease) continue
    void lease.lost.then(() =>
      onLost(new Error('the node number of this process could not be kept; another may have it')),
    )
    return { number, release: () => lease.release() }
  }
  throw new Error(`all ${MAX_NODES} node numbers are taken: stop a process, or wait for a dead one's to run out`)
}
