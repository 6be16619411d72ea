import { createHmac, timingSafeEqual } from 'node:crypto'
import type { Secrets } from '../kernel/ports/secrets.ts'

/** What a link of a mail, or its return path, is for. Letters are a stored format: mails live as long as their mailboxes. */
export const LINK_KINDS = {
  click: 'c',
  /** A click on a link whose destination differs from recipient to recipient, so that the token holds it. */
  clickTo: 'd',
  open: 'o',
  unsubscribe: 'u',
  preferences: 'p',
  confirm: 'k',
  bounce: 'b',
} as const

export type LinkKind = keyof typeof LINK_KINDS

/** What a token says. */
export interface Link {
  readonly kind: LinkKind
  readonly deliveryId: number
  /** Number of the destination in the mailing; `click` alone has one. */
  readonly destination?: number
  /** Destination itself; `clickTo` alone has one. */
  readonly url?: string
}

/** Makes and reads the tokens in links of mails. There is no record of them, and they never expire. */
export interface MailLinks {
  token(link: Link): string
  /** Returns what a token says; `undefined` for one that was not made here. Case does not matter where there is no `url`. */
  read(token: string): Link | undefined
}

const MAC_BYTES = 16
const BASE = 36

const detailOf = ({ destination, url }: Link): string => {
  if (url !== undefined) return Buffer.from(url).toString('base64url')
  return destination === undefined ? '' : destination.toString(BASE)
}

const kindOf = (letter: string): LinkKind | undefined =>
  (Object.keys(LINK_KINDS) as LinkKind[]).find((kind) => LINK_KINDS[kind] === letter)

const NUMBER = /^[0-9a-z]{1,11}$/

const numberIn = (text: string): number | undefined => {
  const value = NUMBER.test(text) ? Number.parseInt(text, BASE) : Number.NaN
  return Number.isSafeInteger(value) ? value : undefined
}

/** Returns what the parts of a genuine token say. */
const linkOf = (letter: string, id: string, detail: string): Link | undefined => {
  const kind = kindOf(letter)
  const deliveryId = numberIn(id)
  if (!kind || deliveryId === undefined) return undefined
  if (kind === 'clickTo') return { kind, deliveryId, url: Buffer.from(detail, 'base64url').toString() }
  if (kind !== 'click') return { kind, deliveryId }
  const destination = numberIn(detail)
  return destination === undefined ? undefined : { kind, deliveryId, destination }
}

/** Returns the links of an installation. */
export const mailLinks = (secrets: Secrets): MailLinks => {
  const key = secrets.derive('mail links', '1')
  const macOf = (text: string) => createHmac('sha256', key).update(text).digest().subarray(0, MAC_BYTES).toString('hex')
  return {
    token(link) {
      const said = `${LINK_KINDS[link.kind]}.${link.deliveryId.toString(BASE)}.${detailOf(link)}`
      return `${said}.${macOf(said)}`
    },
    read(given) {
      // Mail servers may change the case of a return path.
      const token = given.startsWith('d.') ? given : given.toLowerCase()
      const [letter = '', id = '', detail = '', mac = '', ...more] = token.split('.')
      const expected = Buffer.from(macOf(`${letter}.${id}.${detail}`))
      const sent = Buffer.from(mac)
      if (more.length > 0 || sent.length !== expected.length || !timingSafeEqual(sent, expected)) return undefined
      return linkOf(letter, id, detail)
    },
  }
}
