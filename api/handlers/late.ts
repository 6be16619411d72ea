import { goOn, type MaybePromise } from '../../domain/kernel/maybe-promise.ts'
import { refuse } from '../../domain/kernel/refusal.ts'
import type { Service } from '../service.ts'

/** How long an answer waits for what was written before it to be readable. */
export const READ_YOUR_WRITES_MS = 2000

type Parts = Pick<Service, 'log' | 'progress'>

const late = async <T>({ log, progress }: Parts, look: () => MaybePromise<T | undefined>): Promise<T | undefined> => {
  if (!(await progress.reached(await log.lastPosition(), READ_YOUR_WRITES_MS)))
    throw refuse.unavailable('what was written last cannot be read yet; try again')
  return look()
}

/**
 * Looks for something, and again when everything that was written before is readable: what is not there may only not have come yet from whoever
 * projects.
 *
 * @throws {Refusal} unavailable, when that takes too long to tell
 */
export const orLate = <T>(parts: Parts, look: () => MaybePromise<T | undefined>): MaybePromise<T | undefined> =>
  goOn(look(), (found) => found ?? late(parts, look))
