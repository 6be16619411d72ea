import { gunzipSync, gzipSync } from 'node:zlib'
import type { Json } from '../domain/kernel/values/event.ts'

/** What a token may unfold to; it comes from outside. */
const MAX_BYTES = 1_000_000

/** A state as an opaque token: gzip, base64, URL-encoded, as clients of the contract pass it on (rule book, 3.8). */
export const packState = (state: Json): string => encodeURIComponent(gzipSync(JSON.stringify(state)).toString('base64'))

/** The state in a token, which may have been decoded once or twice on its way; `undefined` when it is none. */
export const unpackState = (token: string): Json | undefined => {
  try {
    const base64 = (token.includes('%') ? decodeURIComponent(token) : token).replaceAll(' ', '+')
    const text = gunzipSync(Buffer.from(base64, 'base64'), { maxOutputLength: MAX_BYTES }).toString('utf8')
    return JSON.parse(text) as Json
  } catch {
    return undefined
  }
}
