import { text } from '../../kernel/model/fields.ts'

const MOST_CHARACTERS = 2000

/**
 * An address of https, or of http for `localhost` alone, without user information, fragment or wildcard. It has only characters that a browser leaves as
 * they are, because it is compared byte for byte.
 */
const ALLOWED =
  /^(?:https:\/\/(?:[a-z0-9](?:[a-z0-9-]*[a-z0-9])?\.)*[a-z0-9](?:[a-z0-9-]*[a-z0-9])?|https:\/\/\[[0-9a-f:.]+\]|http:\/\/localhost)(?::[1-9][0-9]{0,4})?(?:[/?][A-Za-z0-9._~:/?@!$&'()+,;=%[\]-]*)?$/

const FORM = {
  test: ALLOWED,
  says: 'must be an https address, or http for localhost, in lower case up to its path and without a fragment',
}

/** Tells whether browsers read an address as it is written: it has no port beyond all ports, and no host that they take for another. */
export const isReadAsWritten = (uri: string): boolean => {
  if (!URL.canParse(uri)) return false
  const { protocol, hostname } = new URL(uri)
  return uri.startsWith(`${protocol}//${hostname}`)
}

/** An address that a platform application gets its answers at. */
export const redirectUri = text({ required: true, max: MOST_CHARACTERS, form: FORM })
