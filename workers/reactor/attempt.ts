import type { Logger } from 'pino'
import { isPassing, retryWhileUnavailable } from '../retry-while-unavailable.ts'
import type { Task } from './lanes.ts'
import { type Outcome, STOPPED, type TaskTurn } from './reaction.ts'

const FIRST_PAUSE_MS = 1000
const LONGEST_PAUSE_MS = 10 * 60_000

/** Outcome of an attempt. */
export type AttemptOutcome = Outcome | { readonly came: 'failed'; readonly error: unknown }

/** Runs a reaction once. While a store is unavailable it is repeated, which does not count as further attempts. */
export const tryOnce = async ({ reaction, event }: Task, turn: TaskTurn, logger: Logger): Promise<AttemptOutcome> => {
  try {
    return await retryWhileUnavailable(() => reaction.react(event, turn), {
      say: (error) => logger.warn({ err: error, reaction: reaction.name }, 'a store cannot be used for now'),
      isOver: turn.stopping,
    })
  } catch (error) {
    return isPassing(error) ? STOPPED : { came: 'failed', error }
  }
}

/** Returns the milliseconds before the next attempt. */
export const pauseAfter = (attempts: number): number =>
  Math.min(LONGEST_PAUSE_MS, FIRST_PAUSE_MS * 2 ** (attempts - 1)) * (0.5 + Math.random() / 2)
