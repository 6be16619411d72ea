import { randomBytes } from 'node:crypto'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { ApiContext } from '../http/context.ts'
import { type CookieKind, cookieOf, setCookie } from './cookies.ts'

/** Tells a browser from all others, for what is begun in it and may go on nowhere else. It signs nobody in. */
const BROWSER: CookieKind = { name: 'mr_browser', lastsS: 365 * 24 * 60 * 60 }

const SECRET_BYTES = 32
const COOKIE = /^([\w-]{43})\.([\w-]{43})$/

type WithSecrets = { readonly secrets: Pick<Secrets, 'marks'> }

const marksOf = ({ secrets }: WithSecrets) => secrets.marks('pages', 'browsers')

/** Returns the secret by which a browser is known; `undefined` for one that is not known yet. */
export const browserSecret = (
  ctx: Pick<ApiContext, 'headers'>,
  deps: WithSecrets,
  isSecure: boolean,
): string | undefined =>
  cookieOf(ctx, BROWSER, isSecure, (value) => {
    const [, secret, mac] = COOKIE.exec(value) ?? []
    if (secret === undefined || mac === undefined) return undefined
    return marksOf(deps).fits(mac, secret) ? secret : undefined
  })

/** Makes a browser known. @returns its secret, and the header that sets its cookie */
export const newBrowser = (
  deps: WithSecrets,
  isSecure: boolean,
): { readonly secret: string; readonly cookie: string } => {
  const secret = randomBytes(SECRET_BYTES).toString('base64url')
  const value = `${secret}.${marksOf(deps).textOf(secret)}`
  return { secret, cookie: setCookie(BROWSER, value, isSecure) }
}
