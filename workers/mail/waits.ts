const MINUTE = 60_000
const FIRST_MS = 5 * MINUTE
const LONGEST_MS = 60 * MINUTE

/** How long a server's "later" is believed. */
export const TRIED_FOR_MS = 72 * 60 * MINUTE

/** Returns how long a deferred mail waits after so many attempts. */
export const waitAfter = (attempts: number): number => Math.min(LONGEST_MS, FIRST_MS * 2 ** Math.max(0, attempts - 1))

/** Returns how long a mailing pauses that has met so many faults of ours in a row. */
export const pauseAfterFaults = (pauses: number): number => Math.min(30 * MINUTE, MINUTE * 2 ** Math.min(pauses, 10))

/** Faults at one recipient that are believed to be the server's. After them the mail is put aside, so that the others go on. */
export const FAULTS_AT_RECIPIENT = 2
