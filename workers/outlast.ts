import { setTimeout as sleep } from 'node:timers/promises'
import type { Logger } from 'pino'
import type { Subscriber } from '../domain/kernel/ports/event-log.ts'
import { isPassing, waits } from './passing.ts'

/**
 * A subscriber that outlasts a store which cannot be written to for a while: it takes the same batch again until it gets through,
 * so that taking a batch twice must change nothing.
 *
 * @param isOver asked whether nobody waits for it any more
 */
export const outlasting =
  (subscriber: Subscriber, name: string, logger: Logger, isOver: () => boolean): Subscriber =>
  async (batch) => {
    for (const wait of waits()) {
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
