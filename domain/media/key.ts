/** Number of random characters in the address of an image. The address is all that a reader needs, so it must not be guessed. */
export const KEY_LENGTH = 24
