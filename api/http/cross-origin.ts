import type { ApiContext, Next } from './context.ts'

/** What a script of another origin may read of an answer, besides its body. */
const EXPOSED = [
  'ETag',
  'Link',
  'Millrace-Cut',
  'Millrace-Read-Side',
  'Pagination-Next',
  'RateLimit-Limit',
  'RateLimit-Remaining',
  'RateLimit-Reset',
  'Retry-After',
  'X-Request-Id',
]
const SENT = ['Accept', 'Authorization', 'Content-Type', 'Idempotency-Key', 'If-Match', 'If-None-Match', 'X-Request-Id']

/**
 * What every answer says that any page may read, names and values in turn. Any page may: what is worth protecting asks for a token, which no browser sends by itself,
 * and no answer allows credentials.
 */
export const SHARED: readonly string[] = [
  'Access-Control-Allow-Origin',
  '*',
  'Access-Control-Expose-Headers',
  EXPOSED.join(', '),
]

/** For what a browser asks before it sends a request of another origin; good for two hours, which is as long as any keeps it. */
const ALLOWED = {
  'Access-Control-Allow-Methods': 'GET, HEAD, POST, PUT, PATCH, DELETE',
  'Access-Control-Allow-Headers': SENT.join(', '),
  'Access-Control-Max-Age': '7200',
}

/** Lets pages of other origins read what comes behind it, and answers what their browsers ask before. */
export const crossOrigin = (ctx: ApiContext, next: Next): unknown => {
  ctx.state.headers.push(...SHARED)
  if (ctx.method !== 'OPTIONS' || ctx.req.headers['access-control-request-method'] === undefined) return next()
  ctx.state.operation = 'preflight'
  ctx.set(ALLOWED)
  ctx.status = 204
  return undefined
}
