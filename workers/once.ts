import type { ClaimToTake } from '../domain/kernel/ports/event-log.ts'

/**
 * Returns the claim under which something is written once, however often it is tried. It never ends: a cause may come
 * again after any time, by a clock that was wrong, a restored reactor store, or a task that is retried by hand.
 */
export const once = (key: string): ClaimToTake => ({ key })
