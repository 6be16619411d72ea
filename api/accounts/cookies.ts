import { type CookieKind, setCookie as headerFor, cookiesOf as valuesOf } from '../html/cookies.ts'
import type { ApiContext } from '../http/context.ts'
import type { Service } from '../service.ts'

/** Address at which people sign in. */
type Addressed = Pick<Service, 'accountsUrl'>

const DAY_S = 24 * 60 * 60

/** Secret of a session. */
export const SESSION: CookieKind = { name: 'mr_session', path: '/', lastsS: 30 * DAY_S }
/** Token of the link by which somebody is about to sign in. */
export const ENTRY: CookieKind = { name: 'mr_sign_in', path: '/in', lastsS: DAY_S / 24 }
/** Proof that somebody has signed in in this browser before. */
export const KNOWN: CookieKind = { name: 'mr_known', path: '/', lastsS: 365 * DAY_S }

/** Whether cookies are for TLS alone: as the configured address says, whatever proxies are on the way. */
const isSecure = ({ accountsUrl }: Addressed): boolean => accountsUrl.startsWith('https:')

/** Returns the values of the cookies of a kind. Pages on other ports of the host may have set some of them. */
export const cookiesOf = (ctx: Pick<ApiContext, 'headers'>, service: Addressed, kind: CookieKind): readonly string[] =>
  valuesOf(ctx, kind, isSecure(service))

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = (service: Addressed, kind: CookieKind, value: string): string =>
  headerFor(kind, value, isSecure(service))
