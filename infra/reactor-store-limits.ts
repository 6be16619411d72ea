/** Under which name the reactor's checkpoint stands among those of the others. */
export const REACTOR = 'reactor'

/** Refusals that are kept of each workspace, the newest. */
export const REFUSALS_KEPT = 1000

/** Rows read in one go. */
export const PAGE = 1000
