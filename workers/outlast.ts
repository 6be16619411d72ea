import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Subscriber } from '../domain/kernel/ports/event-log.ts'
import { refusalIn } from '../domain/kernel/refusal.ts'

const FIRST_WAIT_MS = 100
const LONGEST_WAIT_MS = 5000

/** Whether an error says that a store cannot do something for the moment, be it a full disk or a server that is away. */
const isPassing = (error: unknown): boolean => refusalIn(error)?.kind === 'unavailable'

/**
 * A subscriber that outlasts a store which cannot be written to for a while: it takes the same batch again until it gets through,
 * so that taking a batch twice must change nothing.
 *
 * @param isOver asked whether nobody waits for it any more
 */
export const outlasting =
  (subscriber: Subscriber, name: string, logger: Logger, isOver: () => boolean): Subscriber =>
  async (batch) => {
    for (let wait = FIRST_WAIT_MS; ; wait = Math.min(2 * wait, LONGEST_WAIT_MS)) {
      try {
        await subscriber(batch)
        return
      } catch (error) {
        if (!isPassing(error)) throw error
        logger.warn({ err: error, again_in_ms: wait }, `${name}: a store cannot be used; it will be tried again`)
      }
      await sleep(wait)
      if (isOver()) throw new Error(`${name} was stopped while it waited for a store`)
    }
  }
