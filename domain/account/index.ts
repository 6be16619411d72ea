import type { Family } from '../resources/family.ts'
import { apiKey } from './api-key.ts'
import { membershipResource, teamResource } from './team.ts'
import { user } from './user.ts'
import { workspaceResource } from './workspace.ts'

/** Teams with their members, workspaces and API keys. */
export const account: Family = { resources: [teamResource, membershipResource, user, workspaceResource, apiKey] }
