import { type MaybePromise, mapMaybe } from '../../domain/kernel/values/maybe-promise.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import type { Service } from '../service.ts'

/** How long an answer waits for what was written before it to be readable. */
export const READ_YOUR_WRITES_MS = 2000

/** Headers of an answer that could not wait as long as that took. */
export const BEHIND = { 'Millrace-Read-Side': 'behind' }

type ReadYourWritesDeps = Pick<Service, 'log' | 'progress'>

/** @throws {Refusal} unavailable, when it takes too long until all that was written before can be read */
export const caughtUp = async ({ log, progress }: ReadYourWritesDeps): Promise<void> => {
  if (!(await progress.reached(await log.lastPosition(), READ_YOUR_WRITES_MS)))
    throw refuse.unavailable('what was written last cannot be read yet; try again')
}

const late = async <T>(deps: ReadYourWritesDeps, look: () => MaybePromise<T | undefined>): Promise<T | undefined> => {
  await caughtUp(deps)
  return look()
}

/**
 * Looks for something, and again when everything that was written before is readable: what is not there may only not have come yet from whoever
 * projects.
 *
 * @throws {Refusal} unavailable, when that takes too long to tell
 */
export const orLate = <T>(
  deps: ReadYourWritesDeps,
  look: () => MaybePromise<T | undefined>,
): MaybePromise<T | undefined> => mapMaybe(look(), (found) => found ?? late(deps, look))

/**
 * Does something, and anew where it was refused although not everything that was written before could be read: it may have been refused for
 * something that is not there, and only has not come yet. What is refused has changed nothing.
 *
 * @throws {Refusal} unavailable, when that takes too long to tell
 */
export const unlessLate = async <T>(deps: ReadYourWritesDeps, act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'invalid')) throw error
    if (deps.progress.position >= (await deps.log.lastPosition())) throw error
    await caughtUp(deps)
    return act()
  }
}
