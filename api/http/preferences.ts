/** How a request wants names to be handled that the service does not know (RFC 7240). */
export type Handling = 'strict' | 'lenient'

const HANDLING = /^handling\s*=\s*"?(strict|lenient)"?$/i

/** Returns the `handling` in a `Prefer` header; the first one counts. */
export const handlingIn = (prefer: string | readonly string[] | undefined): Handling | undefined => {
  if (prefer === undefined) return undefined
  for (const preference of String(prefer).split(',')) {
    const found = HANDLING.exec(preference.split(';', 1)[0]!.trim())?.[1]?.toLowerCase()
    if (found === 'strict' || found === 'lenient') return found
  }
  return undefined
}
