import { type MaybePromise, mapMaybe } from '../domain/kernel/values/maybe-promise.ts'
import { Refusal, refuse } from '../domain/kernel/values/refusal.ts'
import type { Service } from './service.ts'

/** Time for which an answer waits until all earlier writes are readable. */
export const READ_YOUR_WRITES_MS = 2000

/** Headers of an answer that did not wait until its write was readable. */
export const BEHIND = { 'Millrace-Read-Side': 'behind' }

type ReadYourWritesDeps = Pick<Service, 'log' | 'progress'>

/** Waits until all earlier writes are readable. @throws {Refusal} unavailable, when that takes too long */
export const caughtUp = async ({ log, progress }: ReadYourWritesDeps): Promise<void> => {
  if (!(await progress.reached(await log.lastPosition(), READ_YOUR_WRITES_MS)))
    throw refuse.unavailable('what was written last cannot be read yet; try again')
}

const lookAfterCatchUp = async <T>(
  deps: ReadYourWritesDeps,
  look: () => MaybePromise<T | undefined>,
): Promise<T | undefined> => {
  await caughtUp(deps)
  return look()
}

/**
 * Looks something up. When it is missing, looks again after all earlier writes are readable, because it may not have been projected yet.
 *
 * @throws {Refusal} unavailable, when that takes too long
 */
export const findAfterCatchUp = <T>(
  deps: ReadYourWritesDeps,
  look: () => MaybePromise<T | undefined>,
): MaybePromise<T | undefined> => mapMaybe(look(), (found) => found ?? lookAfterCatchUp(deps, look))

/**
 * Carries out a write. When it is refused as invalid while earlier writes were not readable, carries it out again after they are: it may have
 * been refused for a record that was not projected yet. A refused write has changed nothing.
 *
 * @throws {Refusal} unavailable, when that takes too long
 */
export const retryAfterCatchUp = async <T>(deps: ReadYourWritesDeps, act: () => Promise<T>): Promise<T> => {
  try {
    return await act()
  } catch (error) {
    if (!(error instanceof Refusal && error.kind === 'invalid')) throw error
    if (deps.progress.position >= (await deps.log.lastPosition())) throw error
    await caughtUp(deps)
    return act()
  }
}
