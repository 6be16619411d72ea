import Koa from 'koa'
import { failureRenderer } from '../http/failures.ts'
import { observe, type RequestMetrics } from '../http/observe.ts'
import { refuseUnknown } from '../http/operate.ts'
import { type Downloads, downloads } from './download.ts'

export interface PublicOptions {
  readonly metrics: RequestMetrics
  /** Trust `X-Forwarded-*` of a proxy in front. */
  readonly behindProxy: boolean
}

/** What people reach without a token, as a Koa application: for now files, by links that are signed. */
export const createPublic = (service: Downloads, { metrics, behindProxy }: PublicOptions): Koa => {
  const app = new Koa({ proxy: behindProxy })
  app.silent = true
  const renderFailure = failureRenderer(service.logger, { documented: false })
  for (const middleware of [observe(service.logger, metrics, renderFailure), downloads(service), refuseUnknown])
    app.use(middleware as unknown as Koa.Middleware)
  return app
}
