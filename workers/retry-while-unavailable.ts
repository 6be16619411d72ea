import { setTimeout as sleep } from 'node:timers/promises'
import { refusalIn } from '../domain/kernel/values/refusal.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 1000

/** Whether an error says that a store cannot do something for the moment, be it a full disk or a server that is away. */
export const isPassing = (error: unknown): boolean => refusalIn(error)?.kind === 'unavailable'

interface Patience {
  /** Told once, when it begins to wait. */
  readonly say: (error: unknown) => void
  /** Asked whether nobody waits for it any more. */
  readonly isOver: () => boolean
}

/**
 * Does something that outlasts a store which is away: again and again until it gets through, so that doing it twice must change nothing.
 *
 * @throws what will not pass; and what would, when it is over
 */
export const retryWhileUnavailable = async <T>(work: () => Promise<T> | T, { say, isOver }: Patience): Promise<T> => {
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
