import type { Family } from '../resources/family.ts'
import { accountResource } from './account/index.ts'
import { goneMembersAreSignedOut, movedMembersAreSignedOut } from './policies.ts'

/** What contacts use themselves: how they sign in to their courses, communities and orders. */
export const members: Family = {
  resources: [accountResource],
  policies: [movedMembersAreSignedOut, goneMembersAreSignedOut],
}
