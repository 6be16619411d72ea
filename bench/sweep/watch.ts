import { readFileSync } from 'node:fs'
import { monitorEventLoopDelay } from 'node:perf_hooks'
import { setTimeout as wait } from 'node:timers/promises'
import { Worker } from 'node:worker_threads'
import { programFile } from '../places.ts'
import type { SentAnswer, SentRequest } from '../programs/sender.ts'

/** What one request did to the event loop of this thread, in milliseconds. */
export interface Held {
  /** Longest turn by the clock. */
  readonly held: number
  /** Longest turn of a processor, which others of a busy machine do not lengthen (Linux only). */
  readonly worked: number
}

export type Watched = Held & SentAnswer

const EVERY_MS = 1
/** Time for which what follows from an answer is watched as well. */
const AFTERWARDS_MS = 25

const workedMs = (): number =>
  Number(readFileSync(`/proc/self/task/${process.pid}/schedstat`, 'utf8').split(' ')[0]) / 1e6

/** Watches the turns of this thread's event loop. @returns what it has seen since the last time */
const watchLoop = (): (() => Held) => {
  const delay = monitorEventLoopDelay({ resolution: EVERY_MS })
  delay.enable()
  let [last, worked] = [workedMs(), 0]
  const look = () => {
    const now = workedMs()
    worked = Math.max(worked, now - last)
    last = now
  }
  setInterval(look, EVERY_MS).unref()
  return () => {
    look()
    const seen = { held: delay.max / 1e6, worked }
    delay.reset()
    worked = 0
    return seen
  }
}

/** Returns a function that has a request sent by another thread, and says what this one did meanwhile. @param settled waits for what follows from a request */
export const watching = (settled: () => Promise<unknown>) => {
  const seen = watchLoop()
  const sender = new Worker(programFile('sender'))
  sender.unref()
  const sent = (request: SentRequest): Promise<SentAnswer> =>
    new Promise((resolve) => {
      sender.once('message', resolve)
      sender.postMessage(request)
    })
  return async (request: SentRequest): Promise<Watched> => {
    await wait(2 * EVERY_MS)
    seen()
    const answer = await sent(request)
    await settled()
    await wait(AFTERWARDS_MS)
    return { ...answer, ...seen() }
  }
}
