import type { ApiContext } from '../http/context.ts'

/** Cookie of pages. With TLS its name itself promises that it belongs to this host alone. */
export interface CookieKind {
  readonly name: string
  readonly path: string
  readonly lastsS: number
}

const LONGEST = 3000
/** Cookies of one name that are looked at. Another host or port of the same site may have set further ones. */
const MOST = 5

const nameOf = ({ name, path }: CookieKind, isSecure: boolean): string =>
  isSecure ? `${path === '/' ? '__Host-' : '__Secure-'}${name}` : name

/** Returns the values of the cookies of a kind, those for the longest path first. */
export const cookiesOf = (
  { headers: { cookie = '' } }: Pick<ApiContext, 'headers'>,
  kind: CookieKind,
  isSecure: boolean,
): readonly string[] => {
  const name = `${nameOf(kind, isSecure)}=`
  return cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(name))
    .slice(0, MOST)
    .map((part) => part.slice(name.length))
    .filter((value) => value !== '' && value.length <= LONGEST)
}

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = (kind: CookieKind, value: string, isSecure: boolean): string => {
  const age = value === '' ? 0 : kind.lastsS
  const flags = `Path=${kind.path}; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${nameOf(kind, isSecure)}=${value}; ${flags}`
}
