import type { ApiContext } from '../http/context.ts'

const DAY_S = 24 * 60 * 60

/** Cookie of the members' side. With TLS its name itself promises that it belongs to this host alone. */
interface Kind {
  readonly name: string
  readonly path: string
  readonly lastsS: number
}

/** Secret of a session. */
export const SESSION: Kind = { name: 'mr_member', path: '/', lastsS: 30 * DAY_S }
/** Token of the link by which somebody is about to sign in. */
export const ENTRY: Kind = { name: 'mr_entry', path: '/members/in', lastsS: DAY_S / 24 }
/** Token of the link that opens a page for reading. */
export const READING: Kind = { name: 'mr_reading', path: '/members', lastsS: DAY_S }

const LONGEST = 3000

const nameOf = ({ name, path }: Kind, isSecure: boolean): string =>
  isSecure ? `${path === '/' ? '__Host-' : '__Secure-'}${name}` : name

/** Returns the value of a cookie. Of several with its name, the first is the one that the browser has for the longest path. */
export const cookieOf = ({ headers: { cookie = '' }, secure }: ApiContext, kind: Kind): string | undefined => {
  const name = `${nameOf(kind, secure)}=`
  const found = cookie.split(';').find((part) => part.trim().startsWith(name))
  const value = found?.trim().slice(name.length)
  return value !== undefined && value !== '' && value.length <= LONGEST ? value : undefined
}

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = ({ secure }: ApiContext, kind: Kind, value: string): string => {
  const age = value === '' ? 0 : kind.lastsS
  const flags = `Path=${kind.path}; Max-Age=${age}; HttpOnly; SameSite=Lax${secure ? '; Secure' : ''}`
  return `${nameOf(kind, secure)}=${value}; ${flags}`
}
