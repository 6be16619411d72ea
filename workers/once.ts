import type { ClaimToTake } from '../domain/kernel/ports/event-log.ts'

/** How long such a claim is kept: as long as the same thing may still be tried again. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** Returns a claim with which something is appended once, however often it is tried. */
export const once = (key: string): ClaimToTake => ({ key, until: Date.now() + KEPT_MS })
