import { DecoderProcess, DecodingStopped } from './decoder-process.ts'
import type { ImageResult, ImageTask } from './task.ts'

/** How long a process that has nothing to do is kept: some 70 MB of memory. */
const IDLE_MS = 30_000

/** Decodes images in processes that are started when they are needed. The caller decides how many tasks run at a time. */
export interface Decoder {
  /** @throws {DecodingStopped} when the task takes too much memory or time, or ends its process twice */
  run(task: ImageTask): Promise<ImageResult>
  /** Ids of the processes that live. */
  readonly pids: readonly number[]
  /** Ends all processes, and tasks under way with them. */
  close(): Promise<void>
}

/** @param limitMs how long a task may take */
export const createDecoder = (limitMs?: number): Decoder => {
  const living = new Set<DecoderProcess>()
  const idle: { readonly process: DecoderProcess; readonly timer: NodeJS.Timeout }[] = []
  let isClosed = false

  const end = async (process: DecoderProcess): Promise<void> => {
    living.delete(process)
    await process.end()
  }
  const start = (): DecoderProcess => {
    const process = new DecoderProcess(limitMs)
    living.add(process)
    return process
  }
  const take = (): DecoderProcess => {
    for (let found = idle.pop(); found; found = idle.pop()) {
      clearTimeout(found.timer)
      if (!found.process.isEnded) return found.process
      living.delete(found.process)
    }
    return start()
  }
  const putBack = (process: DecoderProcess): void => {
    const retire = () => {
      idle.splice(
        idle.findIndex((one) => one.process === process),
        1,
      )
      void end(process)
    }
    idle.push({ process, timer: setTimeout(retire, IDLE_MS).unref() })
  }
  const runOnce = async (task: ImageTask): Promise<ImageResult> => {
    if (isClosed) throw new DecodingStopped('crash')
    const process = take()
    try {
      return await process.run(task)
    } finally {
      const isSpent = process.isEnded || process.isWorn
      if (isClosed || isSpent) await end(process)
      // Another is made ready now. Otherwise the next task would take one that a different workspace counts on.
      if (!isClosed) putBack(isSpent ? start() : process)
    }
  }
  return {
    async run(task) {
      try {
        return await runOnce(task)
      } catch (error) {
        // Somebody may have killed the process for reasons that have nothing to do with this image.
        if (error instanceof DecodingStopped && error.reason === 'crash' && !isClosed) return runOnce(task)
        throw error
      }
    },
    get pids() {
      return [...living].flatMap(({ pid, isEnded }) => (pid === undefined || isEnded ? [] : [pid]))
    },
    async close() {
      isClosed = true
      for (const { timer } of idle.splice(0)) clearTimeout(timer)
      await Promise.all([...living].map(end))
    },
  }
}
