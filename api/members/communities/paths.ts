import { communityPath, postPath } from '../../../domain/communities/public.ts'

/** Start page of communities. */
export const COMMUNITIES = '/members/communities'

/** Paths of the pages of communities. */
export const pathOf = {
  community: communityPath,
  space: (id: number): string => `/members/spaces/${id}`,
  post: postPath,
  comment: (id: number): string => `/members/comments/${id}`,
} as const

/** Returns the path of a comment on the page of its post. */
export const anchorOf = (comment: { readonly id: number; readonly post_id: number }, page = ''): string =>
  `${pathOf.post(comment.post_id)}${page}#comment-${comment.id}`
