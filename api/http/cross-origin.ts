import type { ApiContext, Next } from './context.ts'

/** Headers of an answer that a script of another origin may read. */
export const EXPOSED = [
  'ETag',
  'Link',
  'Millrace-Cut',
  'Millrace-Ignored',
  'Millrace-Read-Side',
  'Pagination-Next',
  'Preference-Applied',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'WWW-Authenticate',
  'X-Request-Id',
]
const SENT = [
  'Accept',
  'Authorization',
  'Content-Type',
  'Idempotency-Key',
  'If-Match',
  'If-None-Match',
  'Prefer',
  'X-Request-Id',
]

/** Headers that clients send to the authorization server and the agent server from pages of other origins. */
export const SENT_BY_AGENTS = [
  'Authorization',
  'Content-Type',
  'Accept',
  'MCP-Protocol-Version',
  'Mcp-Session-Id',
  'Mcp-Method',
  'Mcp-Name',
  'Last-Event-ID',
].join(', ')

/**
 * Headers that let any page read an answer, names and values in turn. That is safe: protected data takes a token, which no browser sends by
 * itself, and no answer allows credentials.
 */
export const SHARED: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED.join(', '),
]

/** Headers of the answer to a preflight request. It is valid for two hours, because no browser stores it for longer. */
const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': SENT.join(', '),
  'Access-Control-Max-Age': '7200',
}

/** Lets pages of other origins read the answers of the middleware after it, and answers preflight requests. */
export const crossOrigin = (ctx: ApiContext, next: Next): unknown => {
  ctx.state.headers.push(...SHARED)
  if (ctx.method !== 'OPTIONS' || ctx.req.headers['access-control-request-method'] === undefined) return next()
  ctx.state.operation = 'preflight'
  ctx.set(ALLOWED)
  ctx.status = 204
  return undefined
}
