import type { WholePlace } from './reader.ts'
import type { Member } from './visibility.ts'

type Asking = Pick<WholePlace['community'], 'require_post_approvals' | 'require_comment_approvals'>
type Overriding = Asking &
  Pick<WholePlace['group'], 'require_post_approvals_override' | 'require_comment_approvals_override'>

/** What asks for approvals: a community, and a group of it where that overrides the community. */
export interface Approvals {
  readonly community: Asking
  readonly group: Overriding
}

/** Whether what a member writes waits until somebody approves it. What moderators write does not. */
export const needsApproval = (
  of: 'post' | 'comment',
  { community, group }: Approvals,
  { moderator }: Member,
): boolean => {
  const asking = group[`require_${of}_approvals_override`] ? group : community
  return !moderator && asking[`require_${of}_approvals`]
}
