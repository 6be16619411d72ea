import { randomBytes } from 'node:crypto'
import type { ApiContext } from '../http/context.ts'
import { cookieOf, KNOWN, setCookie } from './cookies.ts'
import type { AccountsService } from './service.ts'

type KnownService = Pick<AccountsService, 'secrets' | 'accountsUrl' | 'now'>

const COOKIE = /^([1-9]\d{0,15})\.([1-9]\d{0,11})\.([\w-]{22})\.([\w-]{43})$/
const NAME_BYTES = 16

const marksOf = ({ secrets }: KnownService) => secrets.marks('accounts', 'known browsers')

/** Returns the name of the browser of a request, if a user has signed in in it before. A stranger who tries passwords there has none. */
export const knownAs = (
  ctx: Pick<ApiContext, 'headers'>,
  service: KnownService,
  userId: number | undefined,
): string | undefined =>
  cookieOf(ctx, service, KNOWN, (value) => {
    const [, user, since, name = '', mac = ''] = COOKIE.exec(value) ?? []
    if (userId === undefined || Number(user) !== userId) return undefined
    const isYoung = service.now() / 1000 - Number(since) < KNOWN.lastsS
    const isOurs = marksOf(service).fits(mac, `${user}.${since}.${name}`)
    return isYoung && isOurs ? name : undefined
  })

/** Returns a header that makes a browser known, for the user who has signed in. */
export const makeKnown = (service: KnownService, userId: number): string => {
  const content = `${userId}.${Math.floor(service.now() / 1000)}.${randomBytes(NAME_BYTES).toString('base64url')}`
  return setCookie(service, KNOWN, `${content}.${marksOf(service).textOf(content)}`)
}
