import type { MessagePort } from 'node:worker_threads'

/** Channel between a thread that makes rows and the one that writes them. */
export interface BulkChannel {
  readonly port: MessagePort
  readonly shared: SharedArrayBuffer
}

/** Indexes into the shared memory: the number of batches that are not written yet, and whether the load has stopped. */
const UNWRITTEN = 0
const STOPPED = 1

/** Size of the shared memory. */
export const SHARED_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT

/** Counts a batch as sent. Blocks the thread until fewer than `atMost` are unwritten. */
export const noteSent = (shared: SharedArrayBuffer, atMost: number): void => {
  const counts = new Int32Array(shared)
  Atomics.add(counts, UNWRITTEN, 1)
  waitUntil(counts, atMost)
}

/** Blocks the thread until everything is written, or the load has stopped. */
export const waitUntilWritten = (shared: SharedArrayBuffer): void => waitUntil(new Int32Array(shared), 1)

/** Counts a batch as written. */
export const noteWritten = (shared: SharedArrayBuffer): void => {
  const counts = new Int32Array(shared)
  Atomics.sub(counts, UNWRITTEN, 1)
  Atomics.notify(counts, UNWRITTEN)
}

/** Marks the load as stopped, and wakes a sender that waits. */
export const stop = (shared: SharedArrayBuffer): void => {
  const counts = new Int32Array(shared)
  Atomics.store(counts, STOPPED, 1)
  Atomics.notify(counts, UNWRITTEN)
}

export const isStopped = (shared: SharedArrayBuffer): boolean => Atomics.load(new Int32Array(shared), STOPPED) === 1

/** Longest time until a stop that comes just before the wait is noticed. */
const RECHECK_MS = 100

const waitUntil = (counts: Int32Array, fewerThan: number): void => {
  for (;;) {
    const unwritten = Atomics.load(counts, UNWRITTEN)
    if (unwritten < fewerThan || Atomics.load(counts, STOPPED) === 1) return
    Atomics.wait(counts, UNWRITTEN, unwritten, RECHECK_MS)
  }
}
