import Koa from 'koa'
import { refuseUnknown } from '../handlers/operate.ts'
import { bodiesOfStrangers } from '../http/bodies-of-strangers.ts'
import { crossOrigin } from '../http/cross-origin.ts'
import { failureRenderer } from '../http/failures.ts'
import { inProgressLimit, rateLimit } from '../http/limits.ts'
import { observe, type RequestMetrics } from '../http/observe.ts'
import { type CallbackService, mailCallbacks } from '../mail/callbacks.ts'
import { mailLinkPages } from '../mail/links.ts'
import { memberPages } from '../members/app.ts'
import { postsForMembers } from '../members/post-for-members.ts'
import type { MembersService } from '../members/service.ts'
import { connectedHosts, hostedPages, pageScripts } from '../pages/app.ts'
import { postPreviews } from '../pages/blog/preview.ts'
import { type DownloadDeps, downloads } from './download.ts'
import { type ImageDeps, images } from './images.ts'
import { type NotificationDeps, notifications } from './notifications.ts'
import { type PurchaseDeps, purchases } from './purchases.ts'

export interface PublicOptions {
  readonly metrics: RequestMetrics
  /** Number of proxies in front whose `X-Forwarded-*` headers are trusted to name the origin of a request. */
  readonly proxies: number
  /** Requests of one address per minute; 0: no limit. */
  readonly requestsPerMinute: number
}

/** Links to sign in that may be asked for from one address within an hour. */
const LINKS_PER_HOUR = 20

/**
 * Creates the Koa application for requests without a token: pages by the names of their hosts, files by signed links, images, and deliveries from
 * providers and gateways.
 */
export const createPublic = (
  service: DownloadDeps & ImageDeps & PurchaseDeps & NotificationDeps & MembersService & CallbackService,
  { metrics, proxies, requestsPerMinute }: PublicOptions,
): Koa => {
  const app = new Koa({ proxy: proxies > 0, maxIpsCount: proxies })
  app.silent = true
  const renderFailure = failureRenderer(service.logger, { documented: false })
  const withBody = bodiesOfStrangers()
  const served = [
    postPreviews(service),
    downloads(service),
    images(service),
    purchases(service, withBody),
    notifications(service, withBody),
    mailCallbacks(service, withBody),
    mailLinkPages(service, withBody),
  ]
  // A proxy that asks for many hosts is one address. Pages are small and come from memory, so any number may be in progress.
  const pages = [
    connectedHosts(service),
    rateLimit(requestsPerMinute),
    pageScripts(),
    memberPages(service, withBody, requestsPerMinute === 0 ? 0 : LINKS_PER_HOUR),
    postsForMembers(service),
    hostedPages(service),
  ]
  const entrance = [observe(service.logger, metrics, renderFailure), ...pages, inProgressLimit(), crossOrigin]
  const order = [...entrance, ...served, refuseUnknown]
  for (const middleware of order) app.use(middleware as unknown as Koa.Middleware)
  return app
}
