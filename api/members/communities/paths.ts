import { commentPath, communityPath, postPath } from '../../../domain/communities/public.ts'

/** Start page of communities. */
export const COMMUNITIES = '/members/communities'

/** Paths of the pages of communities. */
export const pathOf = {
  community: communityPath,
  moderation: (id: number): string => `${communityPath(id)}/moderation`,
  space: (id: number): string => `/members/spaces/${id}`,
  post: postPath,
  comment: commentPath,
} as const
