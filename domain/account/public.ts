import { embeddedShape } from '../resources/view.ts'
import { workspaceResource } from './workspace.ts'

export { isConfirmedInBrowser } from './agent-settings.ts'
export { apiKey } from './api-key.ts'
export { CLOCK_ADVANCES, type Clock, clockOf, clockTime as timeBy, isClockAdvancing, shownClock } from './clock.ts'
export { credential, type LinkPurpose, type UserLink, type UserSession } from './credentials/model.ts'
export { type Credentials, credentials, openUserSession, usableUserLink } from './credentials/rules.ts'
export type { Passkey } from './credentials/second-factor.ts'
export type { Factor } from './credentials/second-factor-rules.ts'
export { invitationStatus } from './invitation.ts'
export { issueKey } from './issue-key.ts'
export { connectionsOf, keysMadeBy } from './membership-removal.ts'
export { ROLES, type Role } from './roles.ts'
export { invitation, membership, team } from './team-model.ts'
export { type Invitation, isAdmin, isOpen, type Membership, type Team, teams } from './team-rules.ts'
export { user } from './user.ts'
export { type User, userByAddress } from './user-by-address.ts'
export { workspace, workspaces } from './workspace.ts'

/** Shape of a workspace as its own endpoint shows it. */
export const workspaceWhole = embeddedShape(workspaceResource)
