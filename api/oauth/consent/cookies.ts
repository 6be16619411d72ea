import type { ApiContext } from '../../http/context.ts'

/** Cookies of the library. None of them ever leaves this process: which browser a request belongs to is known by a cookie of our own. */
export const LIBRARY_COOKIES = {
  interaction: 'mr_oauth_request',
  resume: 'mr_oauth_resume',
  session: 'mr_oauth',
} as const

/** Shows the library the cookies that a request is to have, and none that a browser has sent. */
export const showCookies = ({ req }: ApiContext, cookies: Readonly<Record<string, string>>): void => {
  req.headers.cookie = Object.entries(cookies)
    .map(([name, value]) => `${name}=${value}`)
    .join('; ')
}

/** Takes back the cookies that the library has set. */
export const dropCookies = ({ res }: ApiContext): void => res.removeHeader('set-cookie')
