/** Decodes a segment of a path, in NFC. An escaped slash divides nothing, so it stays escaped. Returns `undefined` for malformed escapes. */
const decodeSegment = (segment: string): string | undefined => {
  try {
    return decodeURIComponent(segment).normalize('NFC').replaceAll('/', '%2F')
  } catch {
    return undefined
  }
}

const PLAIN = /^(?:\/[A-Za-z0-9_.~-]+)+$/

/**
 * Returns the form in which paths are compared: decoded and in NFC. Returns `undefined` for a path that addresses nothing: one with malformed escapes
 * or empty segments.
 */
export const pathKey = (path: string): string | undefined => {
  if (path === '/' || PLAIN.test(path)) return path
  if (!path.startsWith('/')) return undefined
  const segments = path.slice(1).split('/').map(decodeSegment)
  return segments.every((segment) => segment) ? `/${segments.join('/')}` : undefined
}

/** Returns the path that a stored path and its step are compared as: without slashes at its end. A path that nobody can ask for stays as it is. */
export const storedPathKey = (path: string): string => {
  const bare = path.replace(/(?<!\/)\/+$/, '') || '/'
  return pathKey(bare) ?? bare
}

/** Returns the key by which a record is found by its path within a workspace; `null` for a record without a path. */
export const pathKeyIn = (workspaceId: number | undefined, path: string | null): string | null =>
  path === null || workspaceId === undefined ? null : `${workspaceId}${storedPathKey(path)}`

/** Says that a path differs from another one in its spelling alone, so that a visitor could reach one of the two at most. */
export const SPELLED_OTHERWISE = 'is spelled otherwise, but is the path of another one'
