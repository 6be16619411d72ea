import type { Family } from '../resources/family.ts'
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

/** Communities with their groups and spaces, those who are in them, and what they write. */
export const communities: Family = {
  policies: [emptyPlacesGo, membersGetNewSpaces],
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
  ],
}
