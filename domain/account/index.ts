import type { Family } from '../resources/family.ts'
import { apiKey } from './api-key.ts'
import { credentialsResource } from './credentials/index.ts'
import { invitationResource } from './invitation.ts'
import { membershipResource, teamResource } from './team.ts'
import { user } from './user.ts'
import { workspaceResource } from './workspace.ts'

/** Teams with their members, invitations, workspaces and API keys, and how people sign in. */
export const account: Family = {
  resources: [
    teamResource,
    membershipResource,
    invitationResource,
    user,
    workspaceResource,
    apiKey,
    credentialsResource,
  ],
}
