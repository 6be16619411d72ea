import { type CookieKind, findByCookie as foundBy, setCookie as headerFor } from '../html/cookies.ts'
import type { ApiContext } from '../http/context.ts'

type Sent = Pick<ApiContext, 'headers' | 'secure'>

const DAY_S = 24 * 60 * 60

/** Secret of a session. */
export const SESSION: CookieKind = { name: 'mr_member', lastsS: 30 * DAY_S }
/** Token of the link by which somebody is about to sign in. */
export const ENTRY: CookieKind = { name: 'mr_entry', lastsS: DAY_S / 24 }
/** Token of the link that opens a page for reading. */
export const READING: CookieKind = { name: 'mr_reading', lastsS: DAY_S }

/** Returns what the cookie of a kind stands for, which has to be looked up. */
export const findByCookie = <T>(ctx: Sent, kind: CookieKind, verify: (value: string) => Promise<T | undefined>) =>
  foundBy(ctx, kind, ctx.secure, verify)

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = ({ secure }: Pick<ApiContext, 'secure'>, kind: CookieKind, value: string): string =>
  headerFor(kind, value, secure)
