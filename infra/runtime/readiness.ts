import type { OpenedStores } from '../stores/open.ts'

/** How old an answer of the stores may be. */
const FRESH_MS = 1000

type Stores = Pick<OpenedStores, 'probe' | 'away'>

/**
 * Returns a function that says why requests should not be sent here now. It asks the stores itself: one that stands still is otherwise noticed
 * only by those who need it, which is nobody while nothing is written. However many ask, each store is asked at most once a second.
 */
export const readinessOf = (
  { probe, away }: Stores,
  isStopping: () => boolean,
): (() => Promise<string | undefined>) => {
  let askedAt = Number.NEGATIVE_INFINITY
  let asking: Promise<void> | undefined
  const refresh = (): Promise<void> | undefined => {
    if (!probe || asking || performance.now() - askedAt < FRESH_MS) return asking
    askedAt = performance.now()
    asking = probe().finally(() => {
      asking = undefined
    })
    return asking
  }
  return async () => {
    if (isStopping()) return 'stopping'
    await refresh()
    return away?.().join('; ') || undefined
  }
}
