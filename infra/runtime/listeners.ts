import type { Logger } from 'pino'
import { requestMetrics } from '../../api/http/observe.ts'
import { PREFIX } from '../../api/routes.ts'
import type { Config } from '../config.ts'
import { startAgents } from './agent-listener.ts'
import { startApi } from './api-listener.ts'
import type { Background } from './background.ts'
import { startMailReports } from './mail-listener.ts'
import { metricsOf } from './metrics.ts'
import { openPorts, type Ports } from './ports.ts'
import { reachable, startPublic } from './public-listener.ts'
import { startSdk } from './sdk-listener.ts'

/** Listeners of a process. */
export interface Listeners {
  /** URL of the API's listener, for people and programs on this machine. */
  readonly url: string
  /** Base URL of the API. */
  readonly address: string
  /** Address of the pages on which people sign in. */
  readonly accountsUrl: string
  /** URL of the public listener; only with the role `api`. */
  readonly publicUrl: string | undefined
  /** Where this machine serves the pages of the only workspace; other pages are served by the names of their hosts. */
  readonly pagesUrl: string | undefined
  /** URL of the listener that the browser SDK calls; only with the role `api`. */
  readonly sdkUrl: string | undefined
  /** URL that people type into an agent; only with the role `api`. */
  readonly agentsUrl: string | undefined
  /** Port to which reports about mails come. */
  readonly mailPort: number | undefined
  /** Takes no new requests, and lets running ones finish. */
  stop(): Promise<void>
}

/**
 * Starts the listeners, that of the API first.
 *
 * @param ports those of the process; default: they are opened now
 * @param unlogged ids of requests that are not logged, because this process sends them itself
 * @throws {Error} when an address is taken
 */
export const startListeners = async (
  background: Background,
  config: Config,
  logger: Logger,
  ports?: Ports,
  unlogged?: ReadonlySet<string>,
): Promise<Listeners> => {
  const { api: apiPort, public: publicPort, sdk: sdkPort, agents: agentsPort } = ports ?? (await openPorts(config))
  const registry = metricsOf(background, config)
  const monitoring = { logger, registry, metrics: requestMetrics(registry) }
  const api = startApi(background, config, apiPort, { ...monitoring, ...(unlogged && { unlogged }) })
  const sdkUrl = config.sdkUrl ?? (sdkPort && reachable(sdkPort.url))
  if (sdkPort && sdkUrl) startSdk(background, config, sdkPort, { ...monitoring, sdkUrl })
  if (publicPort) startPublic(background, config, publicPort, { ...monitoring, sdkUrl })
  const agentsUrl = agentsPort && startAgents(api.service, config, agentsPort, monitoring.metrics)
  if (agentsUrl !== undefined) api.agentsAt(agentsUrl)
  const mail = config.roles.includes('api') ? await startMailReports(background, config, logger) : undefined
  return {
    url: api.url,
    address: api.url + PREFIX,
    accountsUrl: api.accountsUrl,
    publicUrl: publicPort?.url,
    pagesUrl: publicPort && `http://localhost:${new URL(publicPort.url).port}`,
    sdkUrl: sdkPort?.url,
    agentsUrl,
    mailPort: mail?.port,
    async stop() {
      await Promise.all([api.drain(), publicPort?.drain(), sdkPort?.drain(), agentsPort?.drain(), mail?.close()])
    },
  }
}
