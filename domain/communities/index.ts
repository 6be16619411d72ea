import type { Family } from '../resources/family.ts'
import { banAction, unbanAction } from './actions/bans.ts'
import { banExportAction, memberExportAction } from './actions/exports.ts'
import { addToGroupAction, removeFromGroupAction } from './actions/spaces.ts'
import { communityResource, spaceGroupResource, spaceResource } from './community/index.ts'
import { banResource, membershipResource, participationResource } from './membership/index.ts'
import { emptyPlacesGo, membersGetNewSpaces } from './policies.ts'
import {
  commentLikeResource,
  commentResource,
  postLikeResource,
  postResource,
  videoEmbedResource,
} from './post/index.ts'
import { purchasesOpenSpaces, spacesFollowPurchases } from './purchases.ts'

const jobs = [addToGroupAction, removeFromGroupAction, banAction, unbanAction, memberExportAction, banExportAction]

/** Communities with their groups and spaces, those who are in them, and what they write. */
export const communities: Family = {
  jobs,
  policies: [emptyPlacesGo, membersGetNewSpaces, purchasesOpenSpaces, spacesFollowPurchases],
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
    ...jobs.map(({ resource }) => resource),
  ],
}
