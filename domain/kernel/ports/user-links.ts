/** Path of links by which users get in. It ends with a token. */
export const USER_ENTRY_PATH = '/in/'

/** Link of a user, by its number in the user's credentials. */
export interface NamedUserLink {
  readonly userId: number
  readonly number: number
}

/** Links by which users get in. Each holds a token that is signed here, and that is stored nowhere. */
export interface UserLinks {
  /** Returns the path of a link on the host on which people sign in. */
  pathOf(link: NamedUserLink): string
  /** Returns what a token names; `undefined` for one that was not signed here. */
  read(token: string): NamedUserLink | undefined
}
