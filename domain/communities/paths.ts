/** Returns the path of the page on which a member reads a community. */
export const communityPath = (communityId: number): string => `/members/communities/${communityId}`

/** Returns the path of the page on which a member reads a post. */
export const postPath = (postId: number): string => `/members/posts/${postId}`
