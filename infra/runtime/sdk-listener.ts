import type { Logger } from 'pino'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { createSdk } from '../../api/sdk/app.ts'
import { pageCache, SOURCES_OF_CATALOGUES } from '../../api/sdk/page-cache.ts'
import type { LocatedPage } from '../../api/sdk/page-of.ts'
import type { BeginningAnswer } from '../../api/sdk/service.ts'
import type { Config } from '../config.ts'
import type { Background } from './background.ts'
import { connectionBounds, type Listening, listen } from './listening.ts'
import { reachable } from './public-listener.ts'
import { SCRIPTS } from './scripts.ts'

interface Monitoring {
  readonly logger: Logger
  readonly metrics: RequestMetrics
}

/** Answers to beginnings of pages that are kept in memory; each takes a few kilobytes. */
const BEGINNINGS = 2000

/** Connections at once. Browsers keep one or two open, and many people share an address. */
const CONNECTIONS = { total: 4000, each: 500, requestMs: 30_000 }

/** Serves what the browser SDK calls. @throws {Error} when the address is taken */
export const startSdk = async (
  background: Background,
  { host, sdkPort, sdkUrl, proxies, publicRateLimitPerMinute: requestsPerMinute }: Config,
  { logger, metrics }: Monitoring,
): Promise<Listening> => {
  const { core, stores } = background
  const { log, vault, publicIds, secrets, readModels } = stores
  let own = ''
  const service = {
    ...{ ...core, log, vault, publicIds, secrets, live: readModels.live, progress: background, logger },
    sdkUrl: () => sdkUrl ?? own,
    pages: pageCache<LocatedPage>(readModels.watched),
    beginnings: pageCache<BeginningAnswer>(readModels.watched, SOURCES_OF_CATALOGUES, BEGINNINGS),
  }
  const app = createSdk(service, { metrics, proxies, requestsPerMinute, scriptsIn: SCRIPTS })
  const address = { host, port: sdkPort, setting: 'MILLRACE_SDK_PORT' }
  const listening = await listen(app.callback(), address, connectionBounds(CONNECTIONS, proxies))
  own = reachable(listening.url)
  return listening
}
