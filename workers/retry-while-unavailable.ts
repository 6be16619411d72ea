import { setTimeout as sleep } from 'node:timers/promises'
import { refusalIn } from '../domain/kernel/values/refusal.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 1000

/** Whether an error says that a store is unavailable for the moment, because of a full disk or an unreachable server. */
export const isPassing = (error: unknown): boolean => refusalIn(error)?.kind === 'unavailable'

interface RetryOptions {
  /** Called once, with the error that makes it wait. */
  readonly say: (error: unknown) => void
  /** Whether nobody waits for the result any more. */
  readonly isOver: () => boolean
}

/**
 * Runs some work, and repeats it for as long as a store is unavailable. Doing it twice must change nothing.
 *
 * @throws any other error; and that of the unavailable store, once `isOver`
 */
export const retryWhileUnavailable = async <T>(
  work: () => Promise<T> | T,
  { say, isOver }: RetryOptions,
): Promise<T> => {
  for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
    try {
      return await work()
    } catch (error) {
      if (!isPassing(error) || isOver()) throw error
      if (wait === FIRST_WAIT_MS) say(error)
      await sleep(wait)
      if (isOver()) throw error
    }
  }
}
