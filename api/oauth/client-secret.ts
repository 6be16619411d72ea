import { timingSafeEqual } from 'node:crypto'
import { hashToken } from '../token-hash.ts'

/** Tells whether a text is the secret of a digest, in a time that does not tell how much of it is. */
export const isSecret = (sent: string, digest: string): boolean => {
  const [one, other] = [Buffer.from(hashToken(sent)), Buffer.from(digest)]
  return one.length === other.length && timingSafeEqual(one, other)
}
