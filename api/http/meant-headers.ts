import { isUtf8 } from 'node:buffer'
import type { IncomingMessage } from 'node:http'
import ipaddr from 'ipaddr.js'
import { hostName } from '../../domain/sites/public.ts'

const USUAL_HOST = /^[a-z\d.-]+(?::\d{1,5})?$/i
/** What no name of a host can have (RFC 3986, 3.2.2): two of them, somebody's name before it, or a path behind it. */
// biome-ignore lint/suspicious/noControlCharactersInRegex: control characters are among them.
const NO_HOST = /[\s,@/\\?#\x00-\x1f\x7f]/
const ASCII_ONLY = /^[\x20-\x7e]*$/

/** Longest host with its port, and origin of a page: names have at most 253 characters. */
const LONGEST_HOST = 260
const LONGEST_ORIGIN = 300

/** Returns the host that a header `Host` means: without an empty port, and in ASCII. Returns `undefined` for what names none. */
export const hostMeant = (sent: string): string | undefined => {
  if (sent.length > LONGEST_HOST) return undefined
  if (USUAL_HOST.test(sent) || sent === '') return sent
  const bare = sent.trim().replace(/:$/, '')
  if (NO_HOST.test(bare)) return undefined
  if (ASCII_ONLY.test(bare)) return bare
  // Node.js takes each byte of a header for a character.
  const bytes = Buffer.from(bare, 'latin1')
  const [, name = '', port = ''] = /^(.*?)(:\d{1,5})?$/s.exec(bytes.toString('utf8')) ?? []
  const ascii = isUtf8(bytes) ? hostName(name) : undefined
  return ascii === undefined ? undefined : ascii + port
}

const WITH_PORT = /^(?:\[([^\]]*)\]|([\d.]+))(?::\d{1,5})?$/

const addressMeant = (sent: string): string => {
  const text = sent.trim().replace(/^"(.*)"$/, '$1')
  const [, six, four] = WITH_PORT.exec(text) ?? []
  const bare = six ?? four ?? text
  return ipaddr.isValid(bare) ? bare : text
}

/** Returns the addresses that a header `X-Forwarded-For` means, without their ports, quotes and empty places. */
export const addressesMeant = (sent: string): string =>
  sent
    .split(',')
    .map(addressMeant)
    .filter((address) => address !== '')
    .join(', ')

/** A tag to which a proxy has added the coding in which it sends the answer on. */
const CODED_TAG = /((?:W\/)?"[^"]*)[-;](?:gzip|br|deflate|zstd)"/g

/** Returns entity tags with those beside them that proxies have made them from. */
export const tagsMeant = (sent: string): string => sent.replace(CODED_TAG, '$&, $1"')

/** Whether a request names more than one host, of which Node.js shows the first (RFC 9112, 3.2). */
const namesTwoHosts = ({ rawHeaders }: IncomingMessage): boolean => {
  let hosts = 0
  for (let at = 0; at < rawHeaders.length; at += 2) {
    const name = rawHeaders[at]!
    if (name.length === 4 && name.toLowerCase() === 'host') hosts++
  }
  return hosts > 1
}

/** Puts headers that say where a request goes and comes from in the form in which all else reads them. @returns what is wrong with them, if anything is */
export const straightenHeaders = (request: IncomingMessage): string | undefined => {
  const { headers } = request
  const forwarded = headers['x-forwarded-for']
  if (typeof forwarded === 'string') headers['x-forwarded-for'] = addressesMeant(forwarded)
  if (headers.origin !== undefined && headers.origin.length > LONGEST_ORIGIN) return 'the header Origin names no origin'
  for (const name of ['if-none-match', 'if-match'] as const) {
    const tags = headers[name]
    if (tags !== undefined) headers[name] = tagsMeant(tags)
  }
  if (headers.host === undefined) {
    // HTTP/1.1 requires it (RFC 9112, 3.2).
    return request.httpVersion === '1.1' ? 'the header Host is missing' : undefined
  }
  const host = hostMeant(headers.host)
  if (host === undefined || namesTwoHosts(request)) return 'the header Host names no host'
  headers.host = host
  const proxied = headers['x-forwarded-host']
  if (typeof proxied === 'string') {
    const meant = hostMeant(proxied.split(',', 1)[0]!.trim())
    if (meant === undefined) delete headers['x-forwarded-host']
    else headers['x-forwarded-host'] = meant
  }
  return undefined
}
