/** Link by which an invitation to a team is accepted. */
export interface InvitationLink {
  readonly teamId: number
  readonly invitationId: number
  /** Number of the link in the invitation. */
  readonly number: number
}

/** Link as a token says it. */
export type NamedInvitation = InvitationLink & {
  /** Returns whether the token was signed here, for an invitation of this address. */
  fits(address: string): boolean
}

/** Path of the pages on which invitations are accepted. A token follows. */
export const INVITATION_PATH = '/invitations/'

/**
 * Links of invitations. Each holds a token that is signed together with the address that was invited, and so proves it. No token is stored.
 */
export interface InvitationLinks {
  /** Returns the path of a link at the address of the accounts. */
  pathOf(link: InvitationLink, address: string): string
  /** Returns what a token names; `undefined` for what is no token. Nothing of it is proved before it `fits`. */
  read(token: string): NamedInvitation | undefined
}
