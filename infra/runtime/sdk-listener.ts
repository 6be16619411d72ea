import type { Logger } from 'pino'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { createSdk } from '../../api/sdk/app.ts'
import { pageCache, SOURCES_OF_CATALOGUES } from '../../api/sdk/page-cache.ts'
import type { LocatedPage } from '../../api/sdk/page-of.ts'
import type { BeginningAnswer } from '../../api/sdk/service.ts'
import type { Config } from '../config.ts'
import type { Background } from './background.ts'
import { type Port, SCRIPTS } from './listening.ts'

interface Monitoring {
  readonly logger: Logger
  readonly metrics: RequestMetrics
  /** Scheme, host and port at which browsers reach it. */
  readonly sdkUrl: string
}

/** Answers to beginnings of pages that are kept in memory; each takes a few kilobytes. */
const BEGINNINGS = 2000

/** Serves what the browser SDK calls. */
export const startSdk = (
  background: Background,
  { proxies, publicRateLimitPerMinute: requestsPerMinute }: Config,
  port: Port,
  { logger, metrics, sdkUrl }: Monitoring,
): void => {
  const { core, stores } = background
  const { log, vault, publicIds, secrets, readModels } = stores
  const service = {
    ...{ ...core, log, vault, publicIds, secrets, everywhere: readModels.live, progress: background, logger },
    engine: core.clientEngine,
    sdkUrl: () => sdkUrl,
    pages: pageCache<LocatedPage>(readModels.watched),
    beginnings: pageCache<BeginningAnswer>(readModels.watched, SOURCES_OF_CATALOGUES, BEGINNINGS),
  }
  port.serve(createSdk(service, { metrics, proxies, requestsPerMinute, scriptsIn: SCRIPTS }).callback())
}
