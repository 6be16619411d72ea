/** Paths of the members' side that mails lead to, by what is read there. */
export const memberPage = {
  course: (id: number): string => `/members/courses/${id}`,
  community: (id: number): string => `/members/communities/${id}`,
  post: (id: number): string => `/members/posts/${id}`,
} as const
