/** Schemes that run or show something in the browser instead of leading back to a program. */
const FORBIDDEN = new Set([
  'about:',
  'blob:',
  'data:',
  'file:',
  'filesystem:',
  'ftp:',
  'intent:',
  'javascript:',
  'mailto:',
  'vbscript:',
  'view-source:',
  'ws:',
  'wss:',
])

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const LONGEST = 2000
const PRINTABLE = /^[\x21-\x7e]+$/

/** Returns why an application may not register an address that people are sent back to; `undefined` if it may. */
export const redirectObjection = (uri: unknown): string | undefined => {
  if (typeof uri !== 'string' || uri.length > LONGEST || !PRINTABLE.test(uri) || !URL.canParse(uri))
    return 'redirect_uris must be absolute addresses'
  const { protocol, username, password, hostname } = new URL(uri)
  if (FORBIDDEN.has(protocol)) return `redirect_uris must not use the scheme ${protocol}`
  if (uri.includes('#')) return 'redirect_uris must not have a fragment'
  if (username !== '' || password !== '') return 'redirect_uris must not have a user name or a password'
  if (uri.includes('*')) return 'redirect_uris must not have wildcards'
  if (protocol === 'http:' && !LOOPBACK.has(hostname)) return 'redirect_uris must use https, except on this computer'
  if (protocol === 'https:' && LOOPBACK.has(hostname)) return 'redirect_uris on this computer must use http'
  return undefined
}

/** Returns in words where an address leads people. */
export const destinationWords = (uri: string): string => {
  const { protocol, hostname, host } = new URL(uri)
  if (protocol === 'https:') return host
  if (protocol === 'http:') return `a program on this computer (${hostname})`
  return `the program on this computer that opens addresses with ${protocol}`
}
