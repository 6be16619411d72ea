import { randomUUID } from 'node:crypto'
import type { Logger } from 'pino'
import { Counter, Histogram, type Registry } from 'prom-client'
import type { ApiContext, Next } from './context.ts'

const REQUEST_ID = /^[A-Za-z0-9._:-]{1,128}$/

/** Numbers of the API for Prometheus, by operation and never by path, so that their count stays bounded. */
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

const setHeaders = ({ res, state: { headers } }: ApiContext): void => {
  for (let at = 0; at < headers.length; at += 2) res.setHeader(headers[at]!, headers[at + 1]!)
}

/** Gives every request an id, logs its end without personal data, and counts it. */
export const observe = (logger: Logger, registry: Registry) => {
  const { duration, refused } = requestMetrics(registry)
  const durations = new Map<string, ReturnType<typeof duration.labels>>()
  /** Finding a labelled histogram by its labels costs more than to observe something in it. */
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
    ctx.state = { requestId, headers: ['X-Request-Id', requestId] }
    await next()
    if (!ctx.res.headersSent) setHeaders(ctx)
    const milliseconds = performance.now() - started
    const operation = ctx.state.route?.operationId ?? 'none'
    const code = ctx.res.statusCode
    const status = String(code)
    durationOf(operation, status).observe(milliseconds / 1000)
    if (code >= 400) refused.inc({ operation, status })
    logger.info(
      {
        request_id: requestId,
        operation,
        status: code,
        ms: Math.round(milliseconds * 100) / 100,
        key: ctx.state.caller?.tokenId,
      },
      'request',
    )
  }
}
