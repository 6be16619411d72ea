import { writeFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { isMainThread } from 'node:worker_threads'

/**
 * Loaded into a service (`--import`): on SIGUSR2 it writes to the file `LOOP_WATCH` for how many milliseconds its event loop was held at most
 * since the last time, and what is resident, in MiB.
 */
const file = process.env.LOOP_WATCH
if (isMainThread && file !== undefined) {
  const delay = monitorEventLoopDelay({ resolution: 1 })
  delay.enable()
  let number = 0
  process.on('SIGUSR2', () => {
    const seen = { number: ++number, held: delay.max / 1e6, resident: process.memoryUsage.rss() / 2 ** 20 }
    delay.reset()
    writeFileSync(file, JSON.stringify(seen))
  })
}
