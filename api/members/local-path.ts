const LONGEST = 500

/** Host that no address names. */
const NOWHERE = 'http://host.invalid'

/** Returns a path of the same host as a browser would read it, with its query; `undefined` for every other address. */
export const localPath = (sent: string | null | undefined): string | undefined => {
  if (!sent || sent.length > LONGEST || !sent.startsWith('/') || !URL.canParse(sent, NOWHERE)) return undefined
  const { origin, pathname, search } = new URL(sent, NOWHERE)
  // A path that begins with two slashes would name a host itself.
  return origin === NOWHERE && !pathname.startsWith('//') ? pathname + search : undefined
}
