import type { ApiContext } from '../http/context.ts'

/** Cookie of pages. With TLS its name itself promises that this host alone has set it. */
export interface CookieKind {
  readonly name: string
  readonly lastsS: number
}

type WithCookies = Pick<ApiContext, 'headers'>

const LONGEST = 3000
/** Cookies of one name that are looked at with TLS, where browsers send one. Without, other hosts and ports of the site set as many as they like. */
const MOST_SECURE = 5

const nameOf = ({ name }: CookieKind, isSecure: boolean): string => (isSecure ? `__Host-${name}` : name)

/** Returns the different values of the cookies of a kind. */
const valuesOf = ({ headers: { cookie = '' } }: WithCookies, kind: CookieKind, isSecure: boolean): string[] => {
  const name = `${nameOf(kind, isSecure)}=`
  const values = cookie
    .split(';')
    .map((part) => part.trim())
    .filter((part) => part.startsWith(name))
    .map((part) => part.slice(name.length))
    .filter((value) => value !== '' && value.length <= LONGEST)
  return [...new Set(values)].slice(0, isSecure ? MOST_SECURE : undefined)
}

/** Returns what one value alone stands for: of several that are in order, nobody knows which one this host has set. */
const onlyOne = <T>(verified: readonly (T | undefined)[]): T | undefined => {
  const [found, ...others] = verified.filter((one) => one !== undefined)
  return others.length === 0 ? found : undefined
}

/**
 * Returns what the cookie of a kind stands for. Whatever else has its name changes nothing.
 *
 * @param verify says what a value stands for; `undefined`: it was not given out here, or counts no more
 */
export const cookieOf = <T>(
  ctx: WithCookies,
  kind: CookieKind,
  isSecure: boolean,
  verify: (value: string) => T | undefined,
): T | undefined => onlyOne(valuesOf(ctx, kind, isSecure).map(verify))

/** Returns what the cookie of a kind stands for, as `cookieOf` does, where that has to be looked up. */
export const findByCookie = async <T>(
  ctx: WithCookies,
  kind: CookieKind,
  isSecure: boolean,
  verify: (value: string) => Promise<T | undefined>,
): Promise<T | undefined> => onlyOne(await Promise.all(valuesOf(ctx, kind, isSecure).map(verify)))

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = (kind: CookieKind, value: string, isSecure: boolean): string => {
  const age = value === '' ? 0 : kind.lastsS
  const flags = `Path=/; Max-Age=${age}; HttpOnly; SameSite=Lax${isSecure ? '; Secure' : ''}`
  return `${nameOf(kind, isSecure)}=${value}; ${flags}`
}

/** Adds a cookie to those that an answer sets. */
export const addCookie = (ctx: Pick<ApiContext, 'append'>, header: string): void => ctx.append('Set-Cookie', header)
