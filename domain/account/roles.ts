/** Roles of the members of a team. Only an admin invites and removes people, and changes their roles. */
export const ROLES = ['admin', 'member'] as const

export type Role = (typeof ROLES)[number]

export const ADMIN = 'admin'
