/** Name of the reactor's checkpoint among the checkpoints of other consumers. */
export const REACTOR = 'reactor'

/** Number of refusals kept per workspace: the newest ones. */
export const REFUSALS_KEPT = 1000

/** Rows read at once. */
export const PAGE = 1000
