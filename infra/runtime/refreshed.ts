import { setTimeout as sleep } from 'node:timers/promises'

/** How old what a store tells may be. */
export const REFRESHED_EVERY_MS = 5000
/** How long whoever looks waits for the store, before what it told last must do. */
const PATIENCE_MS = 1000

/**
 * What a store tells, asked again only when that is `everyMs` old, however many look, and whether or not it could tell. Never throws: while the store cannot tell,
 * what it told last is given; `undefined` where it has told nothing yet.
 */
export const refreshed = <T>(
  ask: () => Promise<T>,
  everyMs: number = REFRESHED_EVERY_MS,
): (() => Promise<T | undefined>) => {
  let known: T | undefined
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const refresh = async (): Promise<void> => {
    try {
      known = await ask()
    } catch {
      // Whoever needs the store says why it is away.
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
    return known
  }
}
