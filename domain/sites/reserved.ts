import { storedPathKey } from '../resources/attributes/path-key.ts'

/** Paths of the public listener itself, on every host. */
const RESERVED_PATH =
  /^\/(?:(?:downloads|images|members|payments|webhooks|\.well-known)(?:\/|$)|(?:robots\.txt|sitemap\.xml|favicon\.ico)$)/

/** Returns whether a path belongs to the service, so that no page can have it. */
export const isReserved = (path: string): boolean => RESERVED_PATH.test(path)

/** Returns whether the path of a page or funnel would be one of the service. */
export const isReservedPath = (path: string | null | undefined): boolean =>
  typeof path === 'string' && isReserved(storedPathKey(path.startsWith('/') ? path : `/${path}`))

export const RESERVED = 'Current path is one of the service itself'
