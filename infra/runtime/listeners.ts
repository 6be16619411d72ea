import type { Logger } from 'pino'
import { requestMetrics } from '../../api/http/observe.ts'
import { PREFIX } from '../../api/http/operate.ts'
import type { Config } from '../config.ts'
import { startApi } from './api-listener.ts'
import type { Background } from './background.ts'
import { metricsOf } from './metrics.ts'
import { startPublic } from './public-listener.ts'
import { startSdk } from './sdk-listener.ts'

/** Listeners of a process. */
export interface Listeners {
  /** URL of the API's listener, for people and programs on this machine. */
  readonly url: string
  /** Base URL of the API. */
  readonly address: string
  /** URL of the public listener; only with the role `api`. */
  readonly publicUrl: string | undefined
  /** URL of the listener that the browser SDK calls; only with the role `api`. */
  readonly sdkUrl: string | undefined
  /** Takes no new requests, and lets running ones finish. */
  stop(): Promise<void>
}

/**
 * Starts the listeners, that of the API first.
 *
 * @param unlogged ids of requests that are not logged, because this process sends them itself
 * @throws {Error} when an address is taken
 */
export const startListeners = async (
  background: Background,
  config: Config,
  logger: Logger,
  unlogged?: ReadonlySet<string>,
): Promise<Listeners> => {
  const registry = metricsOf(background, config)
  const monitoring = { logger, registry, metrics: requestMetrics(registry) }
  const api = await startApi(background, config, { ...monitoring, ...(unlogged && { unlogged }) })
  const isOpen = config.roles.includes('api')
  const open = isOpen ? await startPublic(background, config, monitoring) : undefined
  const sdk = isOpen ? await startSdk(background, config, monitoring) : undefined
  return {
    url: api.url,
    address: api.url + PREFIX,
    publicUrl: open?.url,
    sdkUrl: sdk?.url,
    async stop() {
      await Promise.all([api.drain(), open?.drain(), sdk?.drain()])
    },
  }
}
