import type { Family } from '../resources/family.ts'
import { apiKey } from './api-key.ts'
import { platformApplicationResource } from './platform/application/index.ts'
import { connectionResource, platformTokenResource } from './platform/connection/index.ts'
import { connectionsEndWithApplication } from './platform/policies.ts'
import { membershipResource, teamResource } from './team.ts'
import { user } from './user.ts'
import { workspaceResource } from './workspace.ts'

/** Teams with their members, workspaces and API keys, and the platform applications that people connect. */
export const account: Family = {
  resources: [
    teamResource,
    membershipResource,
    user,
    workspaceResource,
    apiKey,
    platformApplicationResource,
    connectionResource,
    platformTokenResource,
  ],
  policies: [connectionsEndWithApplication],
}
