import type { Logger } from 'pino'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { createPublic } from '../../api/public/app.ts'
import type { Config } from '../config.ts'
import { markdownRenderer } from '../markdown/renderer.ts'
import { notifications } from '../payments/notifications.ts'
import type { Background } from './background.ts'
import { connectionBounds, type Listening, listen } from './listening.ts'

interface Monitoring {
  readonly logger: Logger
  readonly metrics: RequestMetrics
  /** Scheme, host and port at which browsers reach the SDK's listener. */
  readonly sdkUrl: string | undefined
}

/** Connections of strangers at once. Those of one address are many where people share it. */
const CONNECTIONS = { total: 2000, each: 500, requestMs: 30_000 }

/** Returns a URL that can be reached, for a listener on all addresses of this machine. */
export const reachable = (url: string): string => url.replace(/\/\/(0\.0\.0\.0|\[::\]):/, '//localhost:')

/** Serves what needs no token. Links begin with its URL, unless the configuration has another. @throws {Error} when the address is taken */
export const startPublic = async (
  background: Background,
  { host, publicPort, publicUrl, proxies, thirdParty, mail, publicRateLimitPerMinute: requestsPerMinute }: Config,
  { logger, metrics, sdkUrl }: Monitoring,
): Promise<Listening> => {
  const { core, stores, imageStore } = background
  const { vault, blobs, readModels, log, publicIds, secrets, shortTerm } = stores
  const { live, watched, lastChanges } = readModels
  const service = {
    ...{ ...core, live, watched, lastChanges, vault, blobs, log, publicIds, secrets, logger, imageStore, thirdParty },
    shortTerm,
    progress: background,
    sdkUrl: () => sdkUrl,
    markdown: markdownRenderer(),
    mailReportSecret: mail.reportSecret,
    notifications: notifications({ ...core, live, vault }),
  }
  const app = createPublic(service, { metrics, proxies, requestsPerMinute })
  const address = { host, port: publicPort, setting: 'MILLRACE_PUBLIC_PORT' }
  const listening = await listen(app.callback(), address, connectionBounds(CONNECTIONS, proxies))
  if (publicUrl === undefined) core.links.answersAt(reachable(listening.url))
  return listening
}
