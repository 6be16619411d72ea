import type { ApiContext } from '../../http/context.ts'

/** Cookie of a request that waits for a person's decision. Its path has the number of the request, so tabs do not disturb each other. */
export const REQUEST_COOKIE = 'mr_oauth_request'
/** Cookie of a request that goes on after the decision. */
export const RESUME_COOKIE = 'mr_oauth_resume'
/** Cookie of the library's session, which is never sent: it would hold nothing. */
export const SESSION_COOKIE = 'mr_oauth'

const partsOf = ({ req }: ApiContext): readonly string[] =>
  (req.headers.cookie ?? '').split(';').map((part) => part.trim())

/** Tells whether a browser has a cookie with a value. Pages on other ports and hosts of the site may have set others of its name. */
export const hasCookie = (ctx: ApiContext, name: string, value: string): boolean =>
  partsOf(ctx).includes(`${name}=${value}`)

/** Leaves of the cookies of a name only the one with a value, if the browser has it. */
export const keepCookie = (ctx: ApiContext, name: string, value: string): void => {
  if (!hasCookie(ctx, name, value)) return
  const others = partsOf(ctx).filter((part) => !part.startsWith(`${name}=`))
  ctx.req.headers.cookie = [`${name}=${value}`, ...others].join('; ')
}
