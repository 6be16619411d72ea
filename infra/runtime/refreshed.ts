import { setTimeout as sleep } from 'node:timers/promises'

/** How old a value from a store may be. */
export const REFRESHED_EVERY_MS = 5000
/** How long a caller waits for the store before it gets the last value. */
const PATIENCE_MS = 1000

/**
 * Returns a function that gives a value from a store. The store is asked again only when the last request is `everyMs` old,
 * however many callers there are, and whether or not that request succeeded. Never throws: while the store is unavailable,
 * callers get the last value; `undefined`: there is none yet.
 */
export const refreshed = <T>(
  ask: () => Promise<T>,
  everyMs: number = REFRESHED_EVERY_MS,
): (() => Promise<T | undefined>) => {
  let last: T | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const refresh = async (): Promise<void> => {
    try {
      last = await ask()
    } catch {
      // Code that needs the store reports why it is unavailable.
    } finally {
      asking = undefined
    }
  }
  return async () => {
    if (!asking && performance.now() - askedAt >= everyMs) {
      askedAt = performance.now()
      asking = refresh()
    }
    if (asking) await Promise.race([asking, sleep(PATIENCE_MS, undefined, { ref: false })])
    return last
  }
}
