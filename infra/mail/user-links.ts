import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { type NamedUserLink, USER_ENTRY_PATH, type UserLinks } from '../../domain/kernel/ports/user-links.ts'
import { bytesOf, readVarint, varint } from './tokens.ts'

/** Enough for what signs in. */
const MAC_BYTES = 24
const LONGEST = 100

const linkIn = (content: Buffer): NamedUserLink | undefined => {
  const user = readVarint(content)
  const number = user && readVarint(user[1])
  return user && number && number[1].length === 0 ? { userId: user[0], number: number[0] } : undefined
}

/** Creates the links by which users get in. A new secret of the installation invalidates them. */
export const userLinks = (secrets: Pick<Secrets, 'marks'>): UserLinks => {
  const marks = secrets.marks('accounts', 'links', MAC_BYTES)
  return {
    pathOf({ userId, number }) {
      const content = Buffer.concat([varint(userId), varint(number)])
      return USER_ENTRY_PATH + Buffer.concat([marks.of(content), content]).toString('base64url')
    },
    read(token) {
      if (token.length > LONGEST) return undefined
      const bytes = bytesOf(token)
      const content = bytes.subarray(MAC_BYTES)
      if (content.length === 0 || !marks.fits(bytes.subarray(0, MAC_BYTES), content)) return undefined
      return linkIn(content)
    },
  }
}
