import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import { isPassing, waits } from '../passing.ts'
import type { Task } from './lanes.ts'
import { type Outcome, STOPPED, type Turn } from './reaction.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10 * 60_000

/** What came of a try. */
export type Tried = Outcome | { readonly came: 'failed'; readonly error: unknown }

/** Tries a reaction once; while a store is away, again and again, which does not count. */
export const tryOnce = async ({ reaction, event }: Task, turn: Turn, logger: Logger): Promise<Tried> => {
  for (const wait of waits()) {
    try {
      return await reaction.react(event, turn)
    } catch (error) {
      if (!isPassing(error)) return { came: 'failed', error }
      logger.warn({ err: error, reaction: reaction.name, again_in_ms: wait }, 'a store cannot be used')
    }
    if (turn.stopping()) break
    await sleep(wait)
  }
  return STOPPED
}

/** Milliseconds before the next try. */
export const pauseAfter = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)
