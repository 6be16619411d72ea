import type { MailLink, MailLinks } from '../../domain/kernel/ports/mail-links.ts'
import type { Marks, Secrets } from '../../domain/kernel/ports/secrets.ts'
import { isMemberLink } from './member-links.ts'
import { bytesOf, readVarint, varint } from './tokens.ts'

/** Enough against guessing, and short enough for headers of mails. */
const MAC_BYTES = 12

/** Kinds by their number in tokens, which never changes. */
const KINDS = [
  'open',
  'click',
  'unsubscribe',
  'preferences',
  'confirm',
  'return',
  'message',
  'pay',
  'download',
] as const
type Kind = (typeof KINDS)[number]

const PATH = '/m/'
const RETURN = /^b\+([\w-]+)@/

/** Content of a token. */
interface Content {
  readonly kind: Kind
  readonly deliveryId: number
  readonly rest: Buffer
}

/** Signs and reads tokens: a kind, a delivery, something more, and an HMAC-SHA256 over all of it. */
class Tokens {
  readonly #marks: Marks

  constructor(secrets: Pick<Secrets, 'marks'>) {
    this.#marks = secrets.marks('mail', 'links', MAC_BYTES)
  }

  sign(kind: Kind, deliveryId: number, rest: Buffer = Buffer.alloc(0)): Buffer {
    const content = Buffer.concat([Buffer.from([KINDS.indexOf(kind)]), varint(deliveryId), rest])
    return Buffer.concat([this.#marks.of(content), content])
  }

  read(token: Buffer): Content | undefined {
    const content = token.subarray(MAC_BYTES)
    if (content.length < 2 || !this.#marks.fits(token.subarray(0, MAC_BYTES), content)) return undefined
    const kind = KINDS[content[0] ?? -1]
    const read = readVarint(content.subarray(1))
    return kind && read && { kind, deliveryId: read[0], rest: read[1] }
  }
}

const linkOf = ({ kind, deliveryId, rest }: Content): MailLink | undefined => {
  if (kind === 'return' || kind === 'message') return undefined
  if (kind !== 'click' && kind !== 'download') return { kind, deliveryId }
  const read = readVarint(rest)
  if (!read) return undefined
  const [number, url] = read
  return kind === 'download' ? { kind, deliveryId, number } : { kind, deliveryId, number, url: url.toString() }
}

/** Returns what the token of a link holds besides its kind and mail. */
const restOf = (link: MailLink): Buffer => {
  if (link.kind === 'click') return Buffer.concat([varint(link.number), Buffer.from(link.url)])
  return link.kind === 'download' ? varint(link.number) : Buffer.alloc(0)
}

/**
 * Creates the links of mails on the public listener. A new secret of the installation invalidates them.
 *
 * @param origin returns the origin of the public listener: `https://mail.example`
 */
export const mailLinks = (secrets: Pick<Secrets, 'marks'>, origin: () => string): MailLinks => {
  const tokens = new Tokens(secrets)
  const deliveryIn = (kind: Kind, token: Buffer): number | undefined => {
    const content = tokens.read(token)
    return content?.kind === kind ? content.deliveryId : undefined
  }
  // Domains of mail addresses have no capitals, and their local parts often lose them on the way.
  const asWord = (bytes: Buffer): string => bytes.toString('hex')
  return {
    urlOf(link) {
      return origin() + PATH + tokens.sign(link.kind, link.deliveryId, restOf(link)).toString('base64url')
    },
    read(token) {
      const content = tokens.read(bytesOf(token))
      return content && linkOf(content)
    },
    isOwn: (url) => url.startsWith(origin() + PATH) || isMemberLink(url),
    returnPath: (deliveryId, domain) => `b+${asWord(tokens.sign('return', deliveryId))}@${domain}`,
    deliveryOf(returnPath) {
      const word = RETURN.exec(returnPath)?.[1]
      return word === undefined ? undefined : deliveryIn('return', Buffer.from(word, 'hex'))
    },
    messageId: (deliveryId, domain) => `${asWord(tokens.sign('message', deliveryId))}@${domain}`,
    deliveryOfMessage: (messageId) => deliveryIn('message', Buffer.from(messageId.split('@')[0] ?? '', 'hex')),
  }
}
