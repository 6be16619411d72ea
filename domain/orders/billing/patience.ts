export const DAY = 24 * 60 * 60 * 1000

/** So long one answer of a gateway is waited for. */
export const TIMEOUT_MS = 30_000

const LONGEST_PAUSE_MS = 60 * 60_000
/** Three days of pauses, most of an hour. */
const PATIENT_TRIES = 84
/** Two minutes. */
const HURRIED_TRIES = 8

const pause = (attempt: number, tries: number): number | undefined =>
  attempt < tries ? Math.min(LONGEST_PAUSE_MS, 1000 * 2 ** (attempt - 1)) : undefined

/** Pauses of whoever has time: a gateway may be away for days, and what it was asked for is settled afterwards. */
export const patient = (attempt: number): number | undefined => pause(attempt, PATIENT_TRIES)

/** Pauses where somebody waits: what was surely not done is given up soon, and what is in doubt is cleared up. */
export const hurried = (attempt: number, came: 'failed' | 'unknown'): number | undefined =>
  pause(attempt, came === 'failed' ? HURRIED_TRIES : PATIENT_TRIES)
