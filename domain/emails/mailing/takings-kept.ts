/** How long takings are remembered: the longest time of a rate. */
export const TAKINGS_KEPT_MS = 24 * 60 * 60_000
