import type { Logger } from 'pino'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { createPublic } from '../../api/public/app.ts'
import type { Config } from '../config.ts'
import { markdownRenderer } from '../markdown/renderer.ts'
import { notifications } from '../payments/notifications.ts'
import type { Background } from './background.ts'
import type { Port } from './listening.ts'

interface Monitoring {
  readonly logger: Logger
  readonly metrics: RequestMetrics
  /** Scheme, host and port at which browsers reach the SDK's listener. */
  readonly sdkUrl: string | undefined
}

/** Returns a URL that can be reached, for a listener on all addresses of this machine. */
export const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')

/** Serves what needs no token. Links begin with its URL, unless the configuration has another. */
export const startPublic = (
  background: Background,
  { publicUrl, proxies, thirdParty, mail, publicRateLimitPerMinute: requestsPerMinute }: Config,
  port: Port,
  { logger, metrics, sdkUrl }: Monitoring,
): void => {
  const { core, stores, imageStore } = background
  const { vault, blobs, readModels, log, publicIds, secrets, shortTerm } = stores
  const { live, watched, lastChanges } = readModels
  const service = {
    ...{
      ...core,
      everywhere: live,
      watched,
      lastChanges,
      vault,
      blobs,
      log,
      publicIds,
      secrets,
      logger,
      imageStore,
      thirdParty,
    },
    shortTerm,
    engine: core.clientEngine,
    progress: background,
    sdkUrl: () => sdkUrl,
    markdown: markdownRenderer(),
    mailReportSecret: mail.reportSecret,
    notifications: notifications({ ...core, engine: core.clientEngine, live, vault }),
  }
  if (publicUrl === undefined) core.links.answersAt(reachable(port.url))
  port.serve(createPublic(service, { metrics, proxies, requestsPerMinute }).callback())
}
