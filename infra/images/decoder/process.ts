import { Worker } from 'node:worker_threads'
import { carryOut } from './carry-out.ts'
import type { ImageAnswer, ImageTask } from './task.ts'

/** Program of a process that decodes images for another, one at a time, and ends with it. */

/** Number of the task under way, which the guard reads; 0: none. */
const current = new Int32Array(new SharedArrayBuffer(4))
const guard = new Worker(new URL('./guard-thread.js', import.meta.url), {
  workerData: current,
  resourceLimits: { maxOldGenerationSizeMb: 8, maxYoungGenerationSizeMb: 1 },
})
guard.unref()

const setCurrent = (number: number): void => {
  Atomics.store(current, 0, number)
  Atomics.notify(current, 0)
}

let number = 0
process.on('message', async (task: ImageTask) => {
  number += 1
  setCurrent(number)
  const result = await carryOut(task)
  setCurrent(0)
  const answer: ImageAnswer = { ...(result && { result }), bytes: process.memoryUsage.rss() }
  process.send?.(answer)
})
process.on('disconnect', () => process.exit())
// Both reach the whole group of processes when somebody stops the service. It decides when this one is needed no more.
for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP'] as const) process.on(signal, () => undefined)
