import type { Family } from '../resources/family.ts'
import { banAction, unbanAction } from './actions/bans.ts'
import { banExportAction, memberExportAction } from './actions/exports.ts'
import { addToGroupAction, removeFromGroupAction } from './actions/spaces.ts'
import { communityResource, spaceGroupResource, spaceResource } from './community/index.ts'
import { digestResource } from './digest/index.ts'
import { announcedAreMailed, communitiesHaveDigests, digestsAreMailed, membersAreWelcomed } from './mails/policies.ts'
import {
  commentsAreTold,
  mentionedAreMailed,
  missedAreToldAgain,
  postsAreTold,
  unannouncedAreMailed,
  withheldNoticesAreNoted,
} from './mails/telling-policies.ts'
import { banResource, membershipResource, participationResource } from './membership/index.ts'
import { noticeResource } from './notice/index.ts'
import { emptyPlacesGo, membersGetNewSpaces, repliesOutliveComments } from './policies.ts'
import {
  commentLikeResource,
  commentResource,
  postLikeResource,
  postResource,
  videoEmbedResource,
} from './post/index.ts'
import { postViewResource } from './post/views.ts'
import { purchasesOpenSpaces, spacesFollowPurchases } from './purchases.ts'

const jobs = [addToGroupAction, removeFromGroupAction, banAction, unbanAction, memberExportAction, banExportAction]

/** Communities with their groups and spaces, those who are in them, and what they write. */
export const communities: Family = {
  jobs,
  policies: [
    emptyPlacesGo,
    repliesOutliveComments,
    membersGetNewSpaces,
    purchasesOpenSpaces,
    spacesFollowPurchases,
    postsAreTold,
    commentsAreTold,
    mentionedAreMailed,
    announcedAreMailed,
    membersAreWelcomed,
    communitiesHaveDigests,
    digestsAreMailed,
    withheldNoticesAreNoted,
    missedAreToldAgain,
    unannouncedAreMailed,
  ],
  resources: [
    communityResource,
    spaceGroupResource,
    spaceResource,
    participationResource,
    membershipResource,
    banResource,
    postResource,
    commentResource,
    postLikeResource,
    commentLikeResource,
    videoEmbedResource,
    noticeResource,
    digestResource,
    postViewResource,
    ...jobs.map(({ resource }) => resource),
  ],
}
