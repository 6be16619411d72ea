/**
 * Longest text from a request that an answer has in one of its headers. Proxies take answers with headers of at most 8 KiB, or of 4, in their usual settings, and
 * answer 502 to others.
 */
export const LONGEST_ECHO = 4000

/** Returns an address as an answer may have it in `Location`: without its query where it would be too long, and the first page instead of a path that is. */
export const locationWithin = (address: string): string => {
  if (address.length <= LONGEST_ECHO) return address
  const bare = address.replace(/[?#].*$/s, '')
  return bare.length <= LONGEST_ECHO ? bare : '/'
}
