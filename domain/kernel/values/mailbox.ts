import punycode from 'punycode/punycode.js'
import { comparable, visible } from './comparable.ts'

/** Highest number of characters of an address, and of bytes of the part before the `@` (RFC 5321). */
export const MOST_CHARACTERS = 254
const MOST_LOCAL_BYTES = 64
const MOST_DOMAIN_CHARACTERS = 253

const ATOM = "[\\p{L}\\p{M}\\p{N}\\p{S}!#$%&'*+/=?^_`{|}~-]+"
const DOTTED = new RegExp(`^${ATOM}(?:\\.${ATOM})*$`, 'u')
const QUOTED = /^"((?:[\x20\x21\x23-\x5b\x5d-\x7e]|\\[\x20-\x7e])+)"$/
const DOMAIN = /^[\p{L}\p{M}\p{N}.\u3002\uff0e\uff61-]+$/u
const LABEL = /^[a-z0-9](?:[a-z0-9-]{0,61}[a-z0-9])?$/
const NUMBER = /^\d+$/
/** An address in ASCII without quotes, whose only other spellings are in capitals. */
const SIMPLE = /^(?!.*xn--)[\x21\x23-\x7e]+$/i

/** An address of letters, digits and dots, as nearly all are. Its domain needs no conversion. */
const USUAL = /^\w+(?:[.+-]\w+)*@(?:[a-z\d](?:[a-z\d-]{0,61}[a-z\d])?\.)+[a-z]{2,63}$/i

/** Returns an address as it is stored: as sent, but without invisible characters and outer white space. */
export const cleanAddress = (text: string): string => visible(text).normalize('NFC').trim()

/** Returns the ASCII form of a domain name (IDNA), or `undefined` for a text that is none. */
const asciiDomain = (domain: string): string | undefined => {
  if (!DOMAIN.test(domain) || !URL.canParse(`http://${domain}`)) return undefined
  const { hostname } = new URL(`http://${domain}`)
  const labels = hostname.split('.')
  const isName = labels.length > 1 && labels.every((label) => LABEL.test(label)) && !NUMBER.test(labels.at(-1)!)
  return isName && hostname.length <= MOST_DOMAIN_CHARACTERS ? hostname : undefined
}

/** Returns the part before the `@` without needless quotes, or `undefined` for a text that cannot be one. */
const plainLocal = (local: string): string | undefined => {
  if (new TextEncoder().encode(local).length > MOST_LOCAL_BYTES) return undefined
  if (DOTTED.test(local)) return local
  const inside = QUOTED.exec(local)?.[1]?.replace(/\\(.)/g, '$1')
  if (inside === undefined) return undefined
  return DOTTED.test(inside) ? inside : `"${inside.replace(/["\\]/g, '\\$&')}"`
}

/** Returns the parts of an address, or `undefined` for a text that is none. The domain is in its ASCII form. */
const partsOf = (text: string): { readonly local: string; readonly domain: string } | undefined => {
  const address = cleanAddress(text)
  const at = address.lastIndexOf('@')
  if (at < 1 || address.length > MOST_CHARACTERS) return undefined
  const local = plainLocal(address.slice(0, at))
  const domain = asciiDomain(address.slice(at + 1))
  return local === undefined || domain === undefined ? undefined : { local, domain }
}

/** Whether an address that is stored as sent needs no closer look. */
const isUsual = (text: string): boolean => text.length <= MOST_LOCAL_BYTES && SIMPLE.test(text) && USUAL.test(text)

/** Tells whether a text is an e-mail address that mail can be sent to (RFC 5321 and 6531). */
export const isAddress = (text: string): boolean => isUsual(text) || partsOf(text) !== undefined

/** Returns the part of an address behind the `@`, as it is written. */
export const domainPart = (address: string): string => address.slice(address.lastIndexOf('@') + 1)

const ASCII = /^[\x20-\x7e]+$/

/** Returns an address as it is handed over, with its domain in ASCII; `undefined` for a text that is none. */
export const sendable = (text: string): string | undefined => {
  if (isUsual(text)) return `${text.slice(0, text.lastIndexOf('@') + 1)}${domainPart(text).toLowerCase()}`
  const parts = partsOf(text)
  return parts && `${parts.local}@${parts.domain}`
}

/** Whether an address, as it is handed over, is taken by those servers alone that offer SMTPUTF8 (RFC 6531). */
export const needsSmtpUtf8 = (address: string): boolean => !ASCII.test(address)

/**
 * Returns the spellings under which a mailbox is known. The first is the one by which addresses are compared; its domain is in letters. The second,
 * if there is one, has the domain in Punycode. A text that is no address, which older records may hold, is its own spelling.
 */
export const mailboxSpellings = (text: string): readonly string[] => {
  const parts = SIMPLE.test(text) ? undefined : partsOf(text)
  if (!parts) return [comparable(text)]
  const local = comparable(parts.local)
  return [...new Set([punycode.toUnicode(parts.domain), parts.domain])].map((domain) => `${local}@${domain}`)
}

/**
 * Whether an address is none that only looks or compares like another one: without invisible characters, compatibility forms (the Kelvin sign, full width,
 * ligatures) and other dots in its domain. Who proves who they are writes an address as it is.
 */
export const isPlainlyWritten = (text: string): boolean => {
  const address = text.trim()
  if (SIMPLE.test(address)) return true
  if (visible(address) !== address || [...address].some((one) => one.normalize('NFKC') !== one)) return false
  const domain = domainPart(address).normalize('NFC').toLowerCase()
  const ascii = asciiDomain(domain)
  return ascii === undefined || domain === ascii || domain === punycode.toUnicode(ascii)
}

/** Returns the form by which the addresses of one mailbox are compared. */
export const mailboxOf = (text: string): string => mailboxSpellings(text)[0]!

/** Returns a part of an address in the form in which it occurs in `mailboxOf`. */
export const mailboxPart = (text: string): string =>
  comparable(text).replace(/\bxn--[a-z0-9-]+/g, (label) => lettersOf(label) ?? label)

const lettersOf = (label: string): string | undefined => {
  try {
    return punycode.toUnicode(label)
  } catch {
    return undefined
  }
}
