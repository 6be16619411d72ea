/** Age from which what a client records belongs to the past, which somebody else has dealt with. */
const PAST_MS = 24 * 60 * 60_000

/** Whether something had happened long before it was recorded: it was brought in from elsewhere. */
export const isBroughtIn = (happenedAt: string, recordedAt: string): boolean =>
  Date.parse(recordedAt) - Date.parse(happenedAt) >= PAST_MS
