import { embeddedShape } from '../resources/view.ts'
import { workspaceResource } from './workspace.ts'

export { CLOCK_ADVANCES, type Clock, clockOf, clockTime as timeBy, shownClock } from './clock.ts'
export { membership, team, teams } from './team.ts'
export { user } from './user.ts'
export { type User, userByAddress } from './user-by-address.ts'
export { workspace, workspaces } from './workspace.ts'

/** Shape of a workspace as its own endpoint shows it. */
export const workspaceWhole = embeddedShape(workspaceResource)
export { credential, type LinkPurpose, type UserLink, type UserSession } from './credentials/model.ts'
export { type Credentials, credentials, openUserSession, usableUserLink } from './credentials/rules.ts'
