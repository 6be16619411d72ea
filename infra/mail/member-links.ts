import { ENTRY_PATH, type MemberLink, type MemberLinks, READING_PATH } from '../../domain/kernel/ports/member-links.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import { addressedTokens } from './addressed-tokens.ts'
import { readVarint, varint } from './tokens.ts'

const LONGEST = 2048

/** First bytes of tokens, which never change. */
const ENTRY = 0
const READING = 1

const contentOf = (link: MemberLink): Buffer =>
  link.kind === 'entry'
    ? Buffer.concat([Buffer.from([ENTRY]), varint(link.accountId), varint(link.number)])
    : Buffer.concat([Buffer.from([READING]), varint(link.contactId), varint(link.expires), Buffer.from(link.path)])

/** Returns the link in the signed part of a token. */
const linkIn = (content: Buffer): MemberLink | undefined => {
  const kind = content[0]
  const first = readVarint(content.subarray(1))
  const second = first && readVarint(first[1])
  if (!first || !second) return undefined
  if (kind === ENTRY) return { kind: 'entry', accountId: first[0], number: second[0] }
  return kind === READING
    ? { kind: 'reading', contactId: first[0], expires: second[0], path: second[1].toString() }
    : undefined
}

/** Returns whether a URL leads to the members' side by a token. Such a URL is changed by nobody. */
export const isMemberLink = (url: string): boolean => {
  if (!URL.canParse(url)) return false
  const { pathname } = new URL(url)
  return [ENTRY_PATH, READING_PATH].some((path) => pathname.startsWith(path))
}

/** Creates the links of mails to the members' side. A new secret of the installation invalidates them. */
export const memberLinks = (secrets: Pick<Secrets, 'marks'>): MemberLinks => {
  const tokens = addressedTokens(secrets, ['members', 'links'], LONGEST)
  return {
    pathOf(link, address) {
      const path = link.kind === 'entry' ? ENTRY_PATH : READING_PATH
      return path + tokens.make(contentOf(link), address)
    },
    read(token) {
      const opened = tokens.open(token)
      const link = opened && linkIn(opened.content)
      return link && { ...link, fits: opened.fits }
    },
  }
}
