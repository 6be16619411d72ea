import type { ClaimTaken } from '../domain/kernel/ports/event-log.ts'

/** For how long what was done is kept: while it may still be done a second time. */
const KEPT_MS = 30 * 24 * 60 * 60 * 1000

/** The claim under which something is written once, however often it is tried. */
export const once = (key: string): ClaimTaken => ({ key, until: Date.now() + KEPT_MS })
