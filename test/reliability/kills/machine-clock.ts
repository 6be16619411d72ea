import { renameSync, writeFileSync } from 'node:fs'
import path from 'node:path'

const PRELOADED = new URL('./moved-clock.js', import.meta.url).href

/** The clock of the machine, as spawned processes see it. It keeps its time over their kills. */
export interface MachineClock {
  /** Settings of the processes. */
  readonly settings: Readonly<Record<string, string>>
  readonly now: () => number
  /** Moves it forward. */
  forward(ms: number): void
}

/** @param socketWaitMs longest wait of a socket for an answer, in place of minutes */
export const machineClock = (folder: string, socketWaitMs?: number): MachineClock => {
  const file = path.join(folder, 'clock')
  let ahead = 0
  const write = () => {
    writeFileSync(`${file}.new`, String(ahead))
    renameSync(`${file}.new`, file)
  }
  write()
  return {
    settings: {
      NODE_OPTIONS: `${process.env.NODE_OPTIONS ?? ''} --import=${PRELOADED}`.trim(),
      TEST_CLOCK_FILE: file,
      ...(socketWaitMs !== undefined && { TEST_SOCKET_WAIT_MS: String(socketWaitMs) }),
    },
    now: () => Date.now() + ahead,
    forward(ms) {
      ahead += ms
      write()
    },
  }
}
