import { readFileSync, writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a service (`--import`). On SIGUSR2 it writes to the file `LOOP_WATCH` for how many milliseconds one turn of its event loop took at most since
 * the last time, by the clock (`held`) and of a processor (`worked`; Linux only), which others of a busy machine do not lengthen, and what is resident, in MiB.
 */
const file = process.env.LOOP_WATCH
const EVERY_MS = 1

/** Milliseconds that the main thread has had of a processor. */
const workedMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS })
  delay.enable()
  let [number, last, worked] = [0, workedMs(), 0]
  const look = () => {
    const now = workedMs()
    worked = Math.max(worked, now - last)
    last = now
  }
  setInterval(look, EVERY_MS).unref()
  process.on('SIGUSR2', () => {
    look()
    const seen = { number: ++number, held: delay.max / 1e6, worked, resident: process.memoryUsage.rss() / 2 ** 20 }
    delay.reset()
    worked = 0
    writeFileSync(file, JSON.stringify(seen))
  })
}
