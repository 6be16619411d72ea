import { randomUUID } from 'node:crypto'
import { type Logger, symbols } from 'pino'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { ApiContext, Next } from './context.ts'
import type { RenderFailure } from './failures.ts'
import { answerUnread, isMuchToCome } from './unread-body.ts'

const NONE: ReadonlySet<string> = new Set()

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Creates the request metrics for Prometheus. Labels are operations and never paths, so that the number of series stays bounded. */
export const requestMetrics = (registry: Registry) => ({
  duration: new Histogram({
    name: 'millrace_request_duration_seconds',
    help: 'Time from a request to its answer, by operation and status',
    labelNames: ['operation', 'status'],
    buckets: [0.001, 0.0025, 0.005, 0.01, 0.025, 0.05, 0.1, 0.25, 0.5, 1, 2.5],
    registers: [registry],
  }),
  refused: new Counter({
    name: 'millrace_requests_refused_total',
    help: 'Requests answered with an error, by operation and status',
    labelNames: ['operation', 'status'],
    registers: [registry],
  }),
})

export type RequestMetrics = ReturnType<typeof requestMetrics>

/** Headers of every answer, unless its route sets others. Any answer may hold personal data: nobody may store it, so that erasing it here suffices. */
const ALWAYS = ['Cache-Control', 'private, no-store', 'X-Content-Type-Options', 'nosniff']

const setHeaders = ({ res, state: { headers } }: ApiContext): void => {
  for (let at = 0; at < headers.length; at += 2)
    if (!res.hasHeader(headers[at]!)) res.setHeader(headers[at]!, headers[at + 1]!)
}

/**
 * Creates the writer of the log line of a request. No other line is written as often, its fields are known, and none of them needs escaping. Built
 * here, it costs a third of what the logger takes for an object.
 */
const requestLog = (logger: Logger) => {
  const destination = (logger as unknown as { readonly [symbols.streamSym]: { write(line: string): void } })[
    symbols.streamSym
  ]
  return (
    requestId: string,
    operation: string,
    status: number,
    milliseconds: number,
    key: number | string | undefined,
  ): void => {
    if (!logger.isLevelEnabled('info')) return
    const who = key === undefined ? '' : `,"key":${JSON.stringify(key)}`
    const ms = Math.round(milliseconds * 100) / 100
    destination.write(
      `{"level":30,"time":${Date.now()},"request_id":"${requestId}","operation":"${operation}","status":${status},"ms":${ms}${who},"msg":"request"}\n`,
    )
  }
}

/**
 * Creates the middleware that gives every request an id, renders its failure, logs its end without personal data, and counts it.
 *
 * @param unlogged ids of requests that are not logged, because this process sends them itself
 */
export const observe = (
  logger: Logger,
  { duration, refused }: RequestMetrics,
  renderFailure: RenderFailure,
  unlogged: ReadonlySet<string> = NONE,
) => {
  const log = requestLog(logger)
  const durations = new Map<string, ReturnType<typeof duration.labels>>()
  /** Returns a histogram from a map, because finding it by its labels costs more than observing a value. */
  const durationOf = (operation: string, status: string) => {
    const name = `${operation} ${status}`
    const known = durations.get(name) ?? duration.labels({ operation, status })
    durations.set(name, known)
    return known
  }
  return async function observeRequest(ctx: ApiContext, next: Next): Promise<void> {
    const sent = ctx.req.headers['x-request-id']
    const requestId = typeof sent === 'string' && REQUEST_ID.test(sent) ? sent : randomUUID()
    const started = performance.now()
    ctx.state = { requestId, headers: ['X-Request-Id', requestId, ...ALWAYS] }
    let isRefused = false
    try {
      await next()
    } catch (error) {
      isRefused = true
      renderFailure(ctx, error)
    }
    if (!ctx.res.headersSent) {
      setHeaders(ctx)
      if (isRefused && (await isMuchToCome(ctx.req))) answerUnread(ctx)
    }
    const milliseconds = performance.now() - started
    const operation = ctx.state.route?.operationId ?? ctx.state.operation ?? 'none'
    const code = ctx.res.statusCode
    const status = String(code)
    durationOf(operation, status).observe(milliseconds / 1000)
    if (code >= 400) refused.inc({ operation, status })
    if (!unlogged.has(requestId)) log(requestId, operation, code, milliseconds, ctx.state.caller?.tokenId)
  }
}
