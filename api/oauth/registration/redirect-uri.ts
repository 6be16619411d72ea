/** Schemes that run or show something, or belong to the operating system or a browser, instead of leading back to a program. */
const FORBIDDEN = new Set(
  `about afp android-app app-settings blob callto chrome chrome-extension chrome-untrusted cid content data devtools dict dns facetime
  facetime-audio facetime-group facetime-prompt fax feed file filesystem ftp ftps geo gopher hcp help im imap intent intent-action irc ircs
  jar javascript ldap ldapi ldaps livescript mailto maps market mid mms mmst mmsu mocha modem moz-extension news nfs nntp opaquelocktoken
  pop prefs rdp res resource rlogin rtmp rtsp rtspu safari-extension safari-web-extension search service sftp shell sip sips skype smb sms
  smsto snews ssh tel telnet tftp urn vbscript view-source vnc wais webcal wpad ws wss wyciwyg xmpp`
    .split(/\s+/)
    .map((name) => `${name}:`),
)

/** First words of such schemes: of Windows and its programs, of browsers, and of the systems of phones. */
const FAMILIES = /^(?:ms|microsoft|search|chrome|edge|opera|brave|vivaldi|firefox|moz|x-apple|android)(?:[-.+].*)?:$/
const GROWING = /^(?:windows|itms|itunes|bing|msteams|outlook|onenote).*:$/

const LOOPBACK = new Set(['localhost', '127.0.0.1', '[::1]'])
const LONGEST = 2000
const PRINTABLE = /^[\x21-\x7e]+$/

/** Returns why an application may not register an address that people are sent back to; `undefined` if it may. */
export const redirectObjection = (uri: unknown): string | undefined => {
  if (typeof uri !== 'string' || uri.length > LONGEST || !PRINTABLE.test(uri) || !URL.canParse(uri))
    return 'redirect_uris must be absolute addresses'
  const { protocol, username, password, hostname } = new URL(uri)
  if (FORBIDDEN.has(protocol) || FAMILIES.test(protocol) || GROWING.test(protocol))
    return `redirect_uris must not use the scheme ${protocol}`
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
