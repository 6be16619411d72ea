import { type CookieKind, cookiesOf, setCookie as headerFor } from '../html/cookies.ts'
import type { ApiContext } from '../http/context.ts'

const DAY_S = 24 * 60 * 60

/** Secret of a session. */
export const SESSION: CookieKind = { name: 'mr_member', path: '/', lastsS: 30 * DAY_S }
/** Token of the link by which somebody is about to sign in. */
export const ENTRY: CookieKind = { name: 'mr_entry', path: '/members/in', lastsS: DAY_S / 24 }
/** Token of the link that opens a page for reading. */
export const READING: CookieKind = { name: 'mr_reading', path: '/members', lastsS: DAY_S }

/** Returns the value of a cookie. Of several with its name, the first is the one that the browser has for the longest path. */
export const cookieOf = (ctx: ApiContext, kind: CookieKind): string | undefined => cookiesOf(ctx, kind, ctx.secure)[0]

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = ({ secure }: ApiContext, kind: CookieKind, value: string): string =>
  headerFor(kind, value, secure)
