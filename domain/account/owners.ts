import type { Owner } from '../resources/owner.ts'

/** Collections that belong to a team. */
export const team: Owner = { param: 'team_id', resource: 'team', field: 'team_id' }
