import { type About, TEXTS } from './texts.ts'

/** A permanent refusal, in whatever way it became known: as the answer of a server, or in a report. */
export interface Refused {
  /** Enhanced code such as `5.1.1`; `null`: there is none. */
  readonly enhanced: string | null
  /** What the server said, with its codes; `null`: it is not known. */
  readonly text: string | null
}

/** What is about us, so that it would meet every mail. */
export const OUR_FAULTS = ['relay', 'login', 'listed', 'sender', 'quota'] as const
export type OurFault = (typeof OUR_FAULTS)[number]

/** What a refusal is about; `other`: nothing that is known. */
export type RefusedFor = About | 'other'

/** Whether a refusal is about us. */
export const isOurFault = (about: string): about is OurFault => OUR_FAULTS.some((one) => one === about)

/** Enhanced codes that name the mailbox (RFC 3463, RFC 7505). */
const OF_MAILBOX: readonly string[] = ['5.1.1', '5.1.10', '5.2.1']
const OF_DOMAIN: readonly string[] = ['5.1.2', '5.4.4', '5.4.310']
const OF_SIZE: readonly string[] = ['5.3.4', '5.2.3']
const OF_US: Readonly<Record<string, OurFault>> = {
  '5.1.7': 'sender',
  '5.1.8': 'sender',
  '5.5.4': 'sender',
  '5.7.8': 'login',
  '5.7.20': 'sender',
  '5.7.21': 'sender',
  '5.7.22': 'sender',
  '5.7.23': 'sender',
  '5.7.25': 'listed',
  '5.7.26': 'sender',
  '5.7.27': 'sender',
  '5.7.28': 'quota',
  '5.7.57': 'login',
  '5.7.60': 'sender',
}

/** Codes that say what the text cannot: that it was refused for what it is, or for who sent it. */
const CONTRADICTING = /^5\.(?:[367]\.|2\.[2-9])|^4\./

/** Letters of a text that are looked at. Servers say the reason first. */
const MOST_LETTERS = 1000

/** Returns a text in one line of small letters, without the codes that begin its lines. */
const plain = (text: string): string =>
  text
    .slice(0, MOST_LETTERS)
    .toLowerCase()
    .replace(/’/g, "'")
    .replace(/(^|[\r\n;]|\s)\s*[245]\d\d[ -]+(?:[245]\.\d{1,3}\.\d{1,3}\s+)?/g, '$1 ')
    .replace(/\s+/g, ' ')

const aboutText = (text: string | null): About | undefined => {
  if (text === null) return undefined
  const words = plain(text)
  return TEXTS.find(([, pattern]) => pattern.test(words))?.[0]
}

/**
 * Returns what a permanent refusal is about. Only one that names the mailbox, and nothing in it that contradicts that, is about the mailbox: everything else
 * says nothing about it.
 */
export const refusalOf = ({ enhanced, text }: Refused): RefusedFor => {
  const said = aboutText(text)
  if (said !== undefined && (isOurFault(said) || said === 'later')) return said
  const code = enhanced ?? ''
  const ours = OF_US[code]
  if (ours !== undefined) return ours
  if (said === 'domain') return said
  if (said === 'mailbox') return CONTRADICTING.test(code) ? 'policy' : said
  if (said === undefined && OF_MAILBOX.includes(code)) return 'mailbox'
  if (said === undefined && OF_DOMAIN.includes(code)) return 'domain'
  if (OF_SIZE.includes(code)) return 'size'
  if (code.startsWith('5.7.')) return 'policy'
  return said ?? 'other'
}
