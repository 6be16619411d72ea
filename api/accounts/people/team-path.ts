/** Returns the path of the page of a team. */
export const teamPath = (id: number): string => `/account/teams/${id}`
