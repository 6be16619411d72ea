import { hash, randomBytes } from 'node:crypto'

/** Returns the digest under which a token is stored. A token has enough entropy of its own, so a plain hash suffices. */
export const hashToken = (token: string): string => hash('sha256', token, 'base64url')

const KEY_BYTES = 30
const HINT_LETTERS = 7

/** Returns the token of a new API key. */
export const newKeyToken = (): string => `mr_${randomBytes(KEY_BYTES).toString('base64url')}`

/** Returns what is stored of the token of an API key: its digest, and its first characters, so that people can recognize it. */
export const storedOf = (token: string): { readonly hash: string; readonly hint: string } => ({
  hash: hashToken(token),
  hint: token.slice(0, HINT_LETTERS),
})
