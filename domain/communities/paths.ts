/** Returns the path of the page on which a member reads a community. */
export const communityPath = (communityId: number): string => `/members/communities/${communityId}`

/** Returns the path that leads a member to a comment. */
export const commentPath = (commentId: number): string => `/members/comments/${commentId}`

/** Returns the path of the page on which a member reads a post. */
export const postPath = (postId: number): string => `/members/posts/${postId}`
