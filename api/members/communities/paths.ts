/** Start page of communities. */
export const COMMUNITIES = '/members/communities'

/** Paths of the pages of communities. */
export const pathOf = {
  community: (id: number): string => `${COMMUNITIES}/${id}`,
  space: (id: number): string => `/members/spaces/${id}`,
  post: (id: number): string => `/members/posts/${id}`,
  comment: (id: number): string => `/members/comments/${id}`,
} as const
