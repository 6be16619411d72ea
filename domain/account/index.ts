import type { Family } from '../resources/family.ts'
import { apiKey } from './api-key.ts'
import { credentialsResource } from './credentials/index.ts'
import { invitationResource } from './invitation.ts'
import { platformApplicationResource } from './platform/application/index.ts'
import { connectionResource, platformTokenResource } from './platform/connection/index.ts'
import {
  connectionsEndWithApplication,
  connectionsEndWithMembership,
  connectionsNeedBothEnds,
  keysEndWithSecret,
} from './platform/policies.ts'
import { membershipResource, teamResource } from './team.ts'
import { user } from './user.ts'
import { workspaceResource } from './workspace.ts'

/**
 * Teams with their members, invitations, workspaces and API keys, how people sign in, and the platform applications that they connect.
 */
export const account: Family = {
  resources: [
    teamResource,
    membershipResource,
    invitationResource,
    user,
    workspaceResource,
    apiKey,
    credentialsResource,
    platformApplicationResource,
    connectionResource,
    platformTokenResource,
  ],
  policies: [connectionsEndWithApplication, connectionsEndWithMembership, connectionsNeedBothEnds, keysEndWithSecret],
}
