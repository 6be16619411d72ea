/** Link by which a contact signs in to the members' side, once. */
export interface EntryLink {
  readonly kind: 'entry'
  readonly accountId: number
  /** Number of the link in the account. */
  readonly number: number
}

/** Link that opens one page of the members' side for reading, until it expires. */
export interface ReadingLink {
  readonly kind: 'reading'
  readonly contactId: number
  /** Path of the page on the host of the workspace. */
  readonly path: string
  /** Seconds since 1970. */
  readonly expires: number
}

export type MemberLink = EntryLink | ReadingLink

/** Link as a token says it. */
export type NamedLink = MemberLink & {
  /** Returns whether the token was signed here, for a contact with this address. */
  fits(address: string): boolean
}

/** Paths that lead to the members' side. Both end with a token. */
export const ENTRY_PATH = '/members/in/'
export const READING_PATH = '/members/read/'

/**
 * Links of mails to the members' side. Each holds a token that is signed together with the address of its contact, so that it fits no more once the contact has
 * another one. No token is stored.
 */
export interface MemberLinks {
  /** Returns the path of a link on the host of its workspace. */
  pathOf(link: MemberLink, address: string): string
  /** Returns what a token names; `undefined` for what is no token. Nothing of it is proved before it `fits`. */
  read(token: string): NamedLink | undefined
}
