import Koa from 'koa'
import { crossOrigin } from '../http/cross-origin.ts'
import { failureRenderer } from '../http/failures.ts'
import { observe, type RequestMetrics } from '../http/observe.ts'
import { refuseUnknown } from '../http/operate.ts'
import { type Downloads, downloads } from './download.ts'
import { type ImageDeps, images } from './images.ts'
import { type NotificationDeps, notifications } from './notifications.ts'
import { purchases, type Receiving } from './purchases.ts'

export interface PublicOptions {
  readonly metrics: RequestMetrics
  /** How many proxies in front are trusted to say truly, by `X-Forwarded-*`, whence a request came. */
  readonly proxies: number
}

/** What is reached without a token, as a Koa application: files by links that are signed, images, and what providers and gateways tell by themselves. */
export const createPublic = (
  service: Downloads & ImageDeps & Receiving & NotificationDeps,
  { metrics, proxies }: PublicOptions,
): Koa => {
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies })
  app.silent = true
  const renderFailure = failureRenderer(service.logger, { documented: false })
  const served = [downloads(service), images(service), purchases(service), notifications(service)]
  const order = [observe(service.logger, metrics, renderFailure), crossOrigin, ...served, refuseUnknown]
  for (const middleware of order) app.use(middleware as unknown as Koa.Middleware)
  return app
}
