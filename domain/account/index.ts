import type { Family } from '../resources/family.ts'
import { apiKey } from './api-key.ts'
import { invitationResource } from './invitation.ts'
import { membershipResource, teamResource } from './team.ts'
import { user } from './user.ts'
import { workspaceResource } from './workspace.ts'

/** Teams with their members, invitations, workspaces and API keys. */
export const account: Family = {
  resources: [teamResource, membershipResource, invitationResource, user, workspaceResource, apiKey],
}
