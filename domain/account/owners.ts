import type { Owner } from '../resources/owner.ts'

/** Owner of collections that belong to a team. */
export const team: Owner = { param: 'team_id', resource: 'team', field: 'team_id' }
