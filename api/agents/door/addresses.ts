import { refuse } from '../../../domain/kernel/values/refusal.ts'
import type { ApiContext } from '../../http/context.ts'
import { SENT_BY_AGENTS } from '../../http/cross-origin.ts'

/** Names by which a machine knows itself. */
const LOOPBACK: ReadonlySet<string> = new Set(['localhost', '127.0.0.1', '[::1]'])

const nameIn = (url: string): string | undefined => (URL.canParse(url) ? new URL(url).hostname : undefined)

/**
 * Refuses requests for another host than the configured one. Otherwise a name that a stranger points at this machine would let its pages in.
 *
 * @throws {Refusal} forbidden
 */
export const checkHost = ({ req }: ApiContext, address: string): void => {
  const name = nameIn(`http://${req.headers.host ?? ''}/`)
  if (name !== undefined && (LOOPBACK.has(name) || name === nameIn(address))) return
  throw refuse.forbidden('this host is not served here', 'Host', 'host')
}

/**
 * Returns the origin of the page that sent a request; `undefined` where no page did.
 *
 * @param allowed origins beside those of this machine
 * @throws {Refusal} forbidden, for an origin that may not send any
 */
export const originIn = ({ req }: ApiContext, allowed: ReadonlySet<string>): string | undefined => {
  const { origin } = req.headers
  if (origin === undefined) return undefined
  const name = /^https?:\/\//.test(origin) ? nameIn(origin) : undefined
  if (allowed.has(origin) || (name !== undefined && LOOPBACK.has(name))) return origin
  throw refuse.forbidden('pages of this origin may not call the agent server', 'Origin', 'origin')
}

/** Lets the page of an origin read the answer. Cookies are never allowed. @param origin `*` for what is public */
export const shareWith = (ctx: ApiContext, origin: string): void => {
  ctx.set('Access-Control-Allow-Origin', origin)
  ctx.set('Access-Control-Expose-Headers', 'WWW-Authenticate, Mcp-Session-Id')
  if (origin !== '*') ctx.vary('Origin')
}

/** Answers a preflight request. It needs no token, since browsers send none with it. */
export const answerPreflight = (ctx: ApiContext): void => {
  ctx.state.operation = 'preflight'
  ctx.set('Access-Control-Allow-Methods', 'GET, POST, DELETE, OPTIONS')
  ctx.set('Access-Control-Allow-Headers', SENT_BY_AGENTS)
  ctx.set('Access-Control-Max-Age', '7200')
  ctx.status = 204
}
