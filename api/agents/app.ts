import Koa from 'koa'
import type { Logger } from 'pino'
import { refusalIn } from '../../domain/kernel/values/refusal.ts'
import { renderRefusal } from '../errors.ts'
import { bodyReader } from '../http/body.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { failedAttempts } from '../http/failed-attempts.ts'
import { observe, type RequestMetrics } from '../http/observe.ts'
import { rateLimit } from '../http/rate-limit.ts'
import { catalogueOf } from './catalogue.ts'
import { answerPreflight, checkHost, originIn, shareWith } from './door/addresses.ts'
import { answerError } from './door/challenge.ts'
import { endpoint } from './door/endpoint.ts'
import { ENDPOINT, METADATA_PATHS, metadataOf } from './door/metadata.ts'
import type { AgentService } from './service.ts'

export interface AgentOptions {
  readonly metrics: RequestMetrics
  /** Number of proxies in front whose `X-Forwarded-*` headers are trusted. */
  readonly proxies: number
  /** Requests of one token per minute; 0: no limit. */
  readonly rateLimitPerMinute: number
  readonly bodyLimitBytes: number
  /** Failed attempts of one address to authenticate per minute; 0: no limit. */
  readonly failedAttemptsPerMinute: number
  /** Origins, beside those of this machine, whose pages may call. */
  readonly origins: ReadonlySet<string>
}

const NOT_JSON = -32_700
const REFUSED = -32_600
const FAILED = -32_603

/** Creates the renderer of failures in the form of the protocol. */
const failures =
  (logger: Logger) =>
  (ctx: ApiContext, error: unknown): void => {
    const refusal = refusalIn(error)
    if (!refusal) {
      logger.error({ err: error, request_id: ctx.state.requestId }, 'request of an agent failed')
      answerError(ctx, 500, FAILED, 'Internal error')
      return
    }
    const { status, headers } = renderRefusal(refusal, ctx.state.requestId)
    ctx.set(headers)
    answerError(ctx, status, status === 400 ? NOT_JSON : REFUSED, refusal.message)
  }

/** Creates the Koa application of the agent server. All addresses in its answers come from the configuration. */
export const createAgents = (service: AgentService, options: AgentOptions): Koa => {
  const { metrics, proxies, origins } = options
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies })
  app.silent = true
  const serve = endpoint({
    service,
    catalogue: catalogueOf([...service.resources.values()]),
    failed: failedAttempts(options.failedAttemptsPerMinute),
    limit: rateLimit(options.rateLimitPerMinute),
    readBody: bodyReader(options.bodyLimitBytes),
  })
  const isPreflight = ({ method, req }: ApiContext) =>
    method === 'OPTIONS' && req.headers['access-control-request-method'] !== undefined
  const route = async (ctx: ApiContext, _: Next): Promise<void> => {
    ctx.state.operation = 'agents unknown'
    checkHost(ctx, service.agentsUrl)
    if (METADATA_PATHS.includes(ctx.path)) {
      ctx.state.operation = 'agents metadata'
      shareWith(ctx, '*')
      if (isPreflight(ctx)) answerPreflight(ctx)
      else ctx.body = metadataOf(service)
      return
    }
    if (ctx.path.replace(/\/$/, '') !== ENDPOINT)
      return answerError(ctx, 404, REFUSED, `Agents are served at ${service.agentsUrl}`)
    const origin = originIn(ctx, origins)
    if (origin !== undefined) shareWith(ctx, origin)
    if (isPreflight(ctx)) return answerPreflight(ctx)
    return serve(ctx)
  }
  app.use(observe(service.logger, metrics, failures(service.logger)) as unknown as Koa.Middleware)
  app.use(route as unknown as Koa.Middleware)
  return app
}
