const USUAL_LONGEST = 500

/** Host that no address names. */
const NOWHERE = 'http://host.invalid'

/** What stands for slashes at the beginning, in servers and browsers that take it for one. */
const SECOND_SLASH = /^\/+(?:[/\\]|%2f|%5c)/i

/** Characters that every browser reads as they are. */
const PLAIN = /^[\x21-\x5b\x5d-\x7e]+$/

/** Returns a path of the same host as a browser would read it, with its query; `undefined` for every other address. What can stay as it was sent does. */
export const localPath = (sent: string | null | undefined, longest = USUAL_LONGEST): string | undefined => {
  if (!sent || sent.length > longest || !sent.startsWith('/') || !URL.canParse(sent, NOWHERE)) return undefined
  const { origin, pathname, search } = new URL(sent, NOWHERE)
  const whole = pathname + search
  // A path that begins with two slashes would name a host itself.
  if (origin !== NOWHERE || SECOND_SLASH.test(sent) || SECOND_SLASH.test(pathname)) return undefined
  const [asSent = ''] = sent.split('#')
  return PLAIN.test(asSent) ? asSent : whole
}
