import type { MessagePort } from 'node:worker_threads'

/** What a thread that makes rows shares with the one that writes them. */
export interface BulkChannel {
  readonly port: MessagePort
  readonly shared: SharedArrayBuffer
}

/** Places in what is shared: batches that are not written yet, and whether there is any use in more. */
const UNWRITTEN = 0
const STOPPED = 1

/** Of the memory that both see. */
export const SHARED_BYTES = 2 * Int32Array.BYTES_PER_ELEMENT

/** Notes a batch on its way. Waits, with its whole thread, until there are fewer than so many. */
export const noteSent = (shared: SharedArrayBuffer, atMost: number): void => {
  const counts = new Int32Array(shared)
  Atomics.add(counts, UNWRITTEN, 1)
  waitUntil(counts, atMost)
}

/** Waits, with its whole thread, until everything is written, or nothing more will be. */
export const waitUntilWritten = (shared: SharedArrayBuffer): void => waitUntil(new Int32Array(shared), 1)

/** Notes that a batch was written. */
export const noteWritten = (shared: SharedArrayBuffer): void => {
  const counts = new Int32Array(shared)
  Atomics.sub(counts, UNWRITTEN, 1)
  Atomics.notify(counts, UNWRITTEN)
}

/** Says that nothing more is written: whoever waits need not. */
export const stop = (shared: SharedArrayBuffer): void => {
  const counts = new Int32Array(shared)
  Atomics.store(counts, STOPPED, 1)
  Atomics.notify(counts, UNWRITTEN)
}

export const isStopped = (shared: SharedArrayBuffer): boolean => Atomics.load(new Int32Array(shared), STOPPED) === 1

/** Bounds how late a stop is seen that comes just before the wait. */
const LOOK_AGAIN_MS = 100

const waitUntil = (counts: Int32Array, fewerThan: number): void => {
  for (;;) {
    const unwritten = Atomics.load(counts, UNWRITTEN)
    if (unwritten < fewerThan || Atomics.load(counts, STOPPED) === 1) return
    Atomics.wait(counts, UNWRITTEN, unwritten, LOOK_AGAIN_MS)
  }
}
