import Koa from 'koa'
import type { Registry } from 'prom-client'
import { createLoader } from '../projections/loading/live-loader.ts'
import { accountPages } from './accounts/app.ts'
import { passkeyScript } from './accounts/passkeys/script.ts'
import { argon2id, passwords } from './accounts/passwords.ts'
import { slowing } from './accounts/slowing.ts'
import { authenticator } from './handlers/authenticate.ts'
import { findRoute, refuseUnknown, serveOperations } from './handlers/operate.ts'
import { bodiesOfStrangers } from './http/bodies-of-strangers.ts'
import { bodyReader } from './http/body.ts'
import type { ApiContext, Next } from './http/context.ts'
import { crossOrigin } from './http/cross-origin.ts'
import { failedAttempts } from './http/failed-attempts.ts'
import { failureRenderer } from './http/failures.ts'
import { type Health, healthRouter } from './http/health.ts'
import { type MetricsAccess, metricsRouter } from './http/metrics.ts'
import { observe, type RequestMetrics } from './http/observe.ts'
import { rateLimit } from './http/rate-limit.ts'
import { oauthServer } from './oauth/serve.ts'
import { openapiRouter } from './openapi/serve.ts'
import { routeProblems, routesOf } from './routes.ts'
import type { Service } from './service.ts'

export interface ApiOptions {
  readonly health: Health
  readonly registry: Registry
  readonly metrics: RequestMetrics
  /** Ids of requests that are not logged, because this process sends them itself. */
  readonly unlogged?: ReadonlySet<string>
  /** Requests of one token per minute; 0: no limit. */
  readonly rateLimitPerMinute: number
  readonly bodyLimitBytes: number
  /** Failed attempts of one address to authenticate per minute; 0: no limit, also not of those who sign in. */
  readonly failedAttemptsPerMinute: number
  readonly metricsAccess: MetricsAccess
  /** Number of proxies in front whose `X-Forwarded-*` headers are trusted to name the origin of a request. */
  readonly proxies: number
  /** Directory of the built scripts for browsers. */
  readonly scriptsIn: string
}

/** Links to sign in that may be asked for from one address within an hour. */
const LINKS_PER_HOUR = 20

type Middleware = (ctx: ApiContext, next: Next) => unknown

/**
 * Creates the REST API as a Koa application.
 *
 * @throws {Error} with all problems of the declared routes
 */
export const createApi = (service: Service, options: ApiOptions): Koa => {
  const resources = [...service.resources.values()]
  const routes = routesOf(resources)
  const problems = routeProblems(routes)
  if (problems.length > 0) throw new Error(`the declared operations contradict each other:\n${problems.join('\n')}`)

  const app = new Koa({ proxy: options.proxies > 0, maxIpsCount: options.proxies })
  app.silent = true
  const isLimited = options.failedAttemptsPerMinute > 0
  const withBody = bodiesOfStrangers()
  const failed = failedAttempts(options.failedAttemptsPerMinute)
  const order: readonly Middleware[] = [
    observe(service.logger, options.metrics, failureRenderer(service.logger), options.unlogged),
    serveOperations(service, {
      find: findRoute(routes),
      authenticate: authenticator(service.everywhere, failed),
      limit: rateLimit(options.rateLimitPerMinute),
      readBody: bodyReader(options.bodyLimitBytes),
    }),
    healthRouter(options.health).routes() as unknown as Middleware,
    metricsRouter(options.registry, options.metricsAccess, failed).routes() as unknown as Middleware,
    passkeyScript(options.scriptsIn),
    oauthServer(service, failed, withBody),
    accountPages(service, {
      withBody,
      guards: { passwords: passwords(argon2id(service.secrets)), slowing: slowing(isLimited) },
      load: () => createLoader(service, false),
      linksPerHour: isLimited ? LINKS_PER_HOUR : 0,
    }),
    crossOrigin,
    openapiRouter(routes, resources).routes() as unknown as Middleware,
    refuseUnknown,
  ]
  for (const middleware of order) app.use(middleware as unknown as Koa.Middleware)
  return app
}
