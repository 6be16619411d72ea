export { needsApproval } from './approval.ts'
export { community, space, spaceGroup } from './community/model.ts'
export { granting, revoking } from './granting.ts'
export { communityNotices } from './mails/index.ts'
export { memberName } from './member.ts'
export { ban, membership, NOTIFICATIONS, participation } from './membership/model.ts'
export { participations } from './membership/rules.ts'
export { readMentions } from './mentions.ts'
export { MOST_MENTIONED } from './notice/bound.ts'
export { commentPath, communityPath, postPath } from './paths.ts'
export { commentRules } from './post/comment-rules.ts'
export { commentLikes, postLikes } from './post/like-rules.ts'
export { comment, commentLike, post, postLike, postView, videoEmbed } from './post/model.ts'
export { isPending, isShown, REPORT_TYPES } from './post/moderation.ts'
export { posts } from './post/rules.ts'
export { postViews } from './post/views.ts'
export { placeOf, type WholePlace } from './reader.ts'
export {
  isOpenTo,
  type JoinedMember,
  OPEN_TO_VISITORS,
  presenceOf,
  readersAmong,
  type Standing,
  standingIn,
  VISITOR,
} from './standing.ts'
export { type Degree, degreeOf, isOpenToMembers, joinsFreely, sees, waitingFor } from './visibility.ts'
