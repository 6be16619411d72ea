import type { Logger } from 'pino'
import { requestMetrics } from '../../api/http/observe.ts'
import { PREFIX } from '../../api/http/operate.ts'
import type { Config } from '../config.ts'
import { startApi } from './api-listener.ts'
import type { Background } from './background.ts'
import { metricsOf } from './metrics.ts'
import { startPublic } from './public-listener.ts'

/** Where a process answers. */
export interface Listeners {
  /** Where the listener of the API is, for people and programs on this machine. */
  readonly url: string
  /** Where the API begins. */
  readonly address: string
  /** Where the public listener is; only with the role `api`. */
  readonly publicUrl: string | undefined
  /** Takes no new requests and lets those under way finish. */
  stop(): Promise<void>
}

/** Starts to listen, for the API first. @throws {Error} when an address is taken */
export const startListeners = async (background: Background, config: Config, logger: Logger): Promise<Listeners> => {
  const registry = metricsOf(background, config)
  const watching = { logger, registry, metrics: requestMetrics(registry) }
  const api = await startApi(background, config, watching)
  const open = config.roles.includes('api') ? await startPublic(background, config, watching) : undefined
  return {
    url: api.url,
    address: api.url + PREFIX,
    publicUrl: open?.url,
    async stop() {
      await Promise.all([api.drain(), open?.drain()])
    },
  }
}
