import Koa from 'koa'
import type { Logger } from 'pino'
import { bodiesOfStrangers } from '../http/bodies-of-strangers.ts'
import type { ApiContext, Next } from '../http/context.ts'
import { limits } from '../http/limits.ts'
import { observe, type RequestMetrics } from '../http/observe.ts'
import { answerCall, type SdkHandler, shareWith } from './calls.ts'
import { checkoutHandlers } from './checkout/handlers.ts'
import { init } from './init.ts'
import { navigations } from './navigations.ts'
import { nonce } from './nonce.ts'
import { prefill } from './prefill.ts'
import { STATUSES, sdkRefusalOf } from './refusal.ts'
import { scripts } from './script.ts'
import type { SdkService } from './service.ts'
import { trade } from './trade.ts'
import { type Visitors, visitorsOf } from './visitor.ts'
import { visits } from './visits.ts'

export interface SdkOptions {
  readonly metrics: RequestMetrics
  /** Number of proxies in front whose `X-Forwarded-*` headers are trusted. */
  readonly proxies: number
  /** Requests of one address per minute; 0: no limit. */
  readonly requestsPerMinute: number
  /** Directory of the built browser SDK. */
  readonly scriptsIn: string
}

/** Requests in progress at once. Hundreds of visitors may share an address, and each of their requests is short. */
const AT_ONCE = { reads: { total: 4000, each: 500 }, others: { total: 4000, each: 500 } }

/** Creates the renderer of failures in the form that the SDK reads. */
const failures =
  (logger: Logger) =>
  (ctx: ApiContext, error: unknown): void => {
    shareWith(ctx, ctx.req.headers.origin)
    const refusal = sdkRefusalOf(error)
    if (!refusal) logger.error({ err: error, request_id: ctx.state.requestId }, 'call of a page failed')
    const { code, message, retryAfter, more } = refusal ?? {
      ...{ code: 'failed', message: 'Internal error', retryAfter: undefined, more: {} },
    }
    ctx.status = refusal ? STATUSES[refusal.code] : 500
    if (retryAfter !== undefined) ctx.set('Retry-After', String(retryAfter))
    ctx.body = { ok: false, error: { code, message }, ...more }
  }

/** Calls of pages, by path. */
const handlersOf = (
  service: SdkService,
  visitors: Visitors,
  perMinute: number,
): Readonly<Record<string, SdkHandler>> => ({
  '/visits': visits(service, visitors, perMinute),
  '/trade': trade(service, visitors),
  '/prefill': prefill(visitors),
  '/nonce': nonce(service, visitors),
  ...checkoutHandlers(service, visitors, perMinute > 0),
})

/** Creates the Koa application that the browser SDK calls. It knows visitors by secrets that their pages keep, and never by cookies. */
export const createSdk = (service: SdkService, { metrics, proxies, requestsPerMinute, scriptsIn }: SdkOptions): Koa => {
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies })
  app.silent = true
  const withBody = bodiesOfStrangers()
  const visitors = visitorsOf(service)
  const browsed = navigations(service, visitors, withBody, requestsPerMinute)
  const served = new Map<string, (ctx: ApiContext) => Promise<unknown>>([
    ['GET /init', init(service)],
    ...Object.entries(handlersOf(service, visitors, requestsPerMinute)).map(
      ([path, handler]) => [`POST ${path}`, answerCall(service, withBody, handler)] as const,
    ),
  ])
  const route = async (ctx: ApiContext, _: Next): Promise<unknown> => {
    const handle = served.get(`${ctx.method} ${ctx.path}`)
    ctx.state.operation = handle ? `sdk ${ctx.path.slice(1)}` : 'sdk unknown'
    if (handle) return handle(ctx)
    const navigation = browsed(ctx.method, ctx.path)
    if (navigation) {
      ctx.state.operation = `sdk ${navigation.name}`
      return navigation.answer(ctx)
    }
    ctx.status = 404
    ctx.body = { ok: false, error: { code: 'not_found', message: 'Not found' } }
    return undefined
  }
  const order = [
    observe(service.logger, metrics, failures(service.logger)),
    limits(requestsPerMinute, AT_ONCE),
    scripts(scriptsIn),
    route,
  ]
  for (const middleware of order) app.use(middleware as unknown as Koa.Middleware)
  return app
}
