import { workerData } from 'node:worker_threads'
import { LIMITS, OUT_OF_MEMORY } from './task.ts'

/**
 * Ends its process when that takes too much memory. Decoders allocate outside of the heap of JavaScript, so no setting of Node.js bounds
 * them, and the main thread may be busy. In the time between two looks, a process can touch some ten megabytes; more, when the machine is
 * so busy that the looks come late, which is why the system has a limit as well.
 */
const LOOKS_EVERY_MS = 5
/** The other process stops what takes too long. This one does so itself in case that was killed. */
const LONGEST_MS = 2 * LIMITS.ms

const current: Int32Array = workerData
for (;;) {
  Atomics.wait(current, 0, 0)
  const task = Atomics.load(current, 0)
  const begun = performance.now()
  while (task !== 0 && Atomics.load(current, 0) === task) {
    if (process.memoryUsage.rss() > LIMITS.residentBytes) process.kill(process.pid, OUT_OF_MEMORY)
    if (performance.now() - begun > LONGEST_MS) process.kill(process.pid, 'SIGKILL')
    Atomics.wait(current, 0, task, LOOKS_EVERY_MS)
  }
}
