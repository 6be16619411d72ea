import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Marks } from '../../domain/kernel/ports/secrets.ts'

/** Bytes of a whole mark. */
const WHOLE = 32

/** Creates the marks of one key: HMAC-SHA256, perhaps cut. @param bytes that marks have, at most 32; a storage format */
export const marksOf = (key: Uint8Array, bytes = WHOLE): Marks => {
  const of = (...content: readonly (string | Uint8Array)[]): Buffer => {
    const hmac = createHmac('sha256', key)
    for (const part of content) hmac.update(part)
    return hmac.digest().subarray(0, bytes)
  }
  return {
    of,
    textOf: (...content) => of(...content).toString('base64url'),
    fits(mark, ...content) {
      const sent = typeof mark === 'string' ? Buffer.from(mark, 'base64url') : mark
      return sent.length === bytes && timingSafeEqual(sent, of(...content))
    },
  }
}
