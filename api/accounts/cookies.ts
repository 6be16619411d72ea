import { browserSecret, newBrowser } from '../html/browser.ts'
import {
  type CookieKind,
  findByCookie as foundBy,
  setCookie as headerFor,
  cookieOf as readBy,
} from '../html/cookies.ts'
import type { ApiContext } from '../http/context.ts'
import type { AccountsService } from './service.ts'

/** Address at which people sign in. */
type Addressed = Pick<AccountsService, 'accountsUrl'>
type Sent = Pick<ApiContext, 'headers'>

const DAY_S = 24 * 60 * 60

/** Secret of a session. */
export const SESSION: CookieKind = { name: 'mr_session', lastsS: 30 * DAY_S }
/** Token of the link by which somebody is about to sign in. */
export const ENTRY: CookieKind = { name: 'mr_sign_in', lastsS: DAY_S / 24 }
/** Proof that somebody has signed in in this browser before. */
export const KNOWN: CookieKind = { name: 'mr_known', lastsS: 365 * DAY_S }

/** Whether cookies are for TLS alone: as the configured address says, whatever proxies are on the way. */
export const isSecure = ({ accountsUrl }: Addressed): boolean => accountsUrl.startsWith('https:')

/** Returns what the cookie of a kind stands for. @param verify says what a value stands for */
export const cookieOf = <T>(
  ctx: Sent,
  service: Addressed,
  kind: CookieKind,
  verify: (value: string) => T | undefined,
): T | undefined => readBy(ctx, kind, isSecure(service), verify)

/** Returns what the cookie of a kind stands for, where that has to be looked up. */
export const findByCookie = <T>(
  ctx: Sent,
  service: Addressed,
  kind: CookieKind,
  verify: (value: string) => Promise<T | undefined>,
) => foundBy(ctx, kind, isSecure(service), verify)

/** Returns a header that sets a cookie; an empty value removes it. */
export const setCookie = (service: Addressed, kind: CookieKind, value: string): string =>
  headerFor(kind, value, isSecure(service))

/** Returns the secret by which the browser of a request is known. */
export const browserOf = (ctx: Sent, service: Pick<AccountsService, 'accountsUrl' | 'secrets'>): string | undefined =>
  browserSecret(ctx, service, isSecure(service))

/** Makes the browser of a request known. */
export const makeBrowser = (service: Pick<AccountsService, 'accountsUrl' | 'secrets'>) =>
  newBrowser(service, isSecure(service))
