import ipaddr from 'ipaddr.js'
import type { Logger } from 'pino'
import type { Registry } from 'prom-client'
import { createApi } from '../../api/app.ts'
import type { RequestMetrics } from '../../api/http/observe.ts'
import type { Service } from '../../api/service.ts'
import { accountsUrlIn } from '../accounts-url.ts'
import type { Config } from '../config.ts'
import { audienceModel } from '../external/audience-model.ts'
import { openUserMail } from '../mail/user-mail.ts'
import type { Background } from './background.ts'
import { type Listening, type Port, SCRIPTS } from './listening.ts'
import { readinessOf } from './readiness.ts'

interface Monitoring {
  readonly logger: Logger
  readonly registry: Registry
  readonly metrics: RequestMetrics
  readonly unlogged?: ReadonlySet<string>
}

/** Whether only this machine can reach an address. */
const isLoopback = (host: string): boolean =>
  host === 'localhost' || (ipaddr.isValid(host) && ipaddr.process(host).range() === 'loopback')

/** Listener of the API. */
export interface ApiListening extends Listening {
  /** Address of the pages on which people sign in. */
  readonly accountsUrl: string
  /** What it serves, for others that carry out operations. */
  readonly service: Service
  /** Tells the address of the agent server, once it has one. */
  agentsAt(url: string): void
}

/** Warns where others in the network can read what people sign in with. */
const warnOfPlainHttp = (accountsUrl: string, { host }: Config, logger: Logger): void => {
  const { protocol, hostname } = new URL(accountsUrl)
  if (protocol === 'https:' || (isLoopback(hostname) && isLoopback(host))) return
  logger.warn(
    { address: accountsUrl },
    'people sign in without TLS: others in the network can read their passwords; MILLRACE_API_URL names an https address',
  )
}

/** Serves the REST API, probes and metrics. */
export const startApi = (
  background: Background,
  config: Config,
  port: Port,
  { logger, registry, metrics, unlogged }: Monitoring,
): ApiListening => {
  const { core, stores, imageStore, fetched, outbound } = background
  const { log, vault, publicIds, secrets, shortTerm, readModels, reactorStore } = stores
  const userMail = openUserMail(config.mail)
  let stopping = false
  const accountsUrl = accountsUrlIn(config, Number(new URL(port.url).port))
  let agentsUrl = ''
  const service: Service = {
    ...core,
    log,
    vault,
    publicIds,
    secrets,
    outbound,
    everywhere: readModels.live,
    progress: background,
    logger,
    reactorStore,
    shortTerm,
    userMail,
    accountsUrl,
    get agentsUrl() {
      return agentsUrl
    },
    external: {
      images: imageStore,
      files: fetched,
      ...core.outside,
      ...(config.model && { audiences: audienceModel(config.model) }),
    },
  }
  const app = createApi(service, {
    health: { notReady: readinessOf(stores, () => stopping) },
    registry,
    metrics,
    ...(unlogged && { unlogged }),
    rateLimitPerMinute: config.rateLimitPerMinute,
    bodyLimitBytes: config.bodyLimitBytes,
    failedAttemptsPerMinute: config.failedAttemptsPerMinute,
    metricsAccess: { token: config.metricsToken, isLocal: config.proxies === 0 && isLoopback(config.host) },
    proxies: config.proxies,
    scriptsIn: SCRIPTS,
  })
  port.serve(app.callback())
  warnOfPlainHttp(accountsUrl, config, logger)
  return {
    url: port.url,
    accountsUrl,
    service,
    agentsAt(url) {
      agentsUrl = url
    },
    async drain() {
      stopping = true
      await port.drain()
      await userMail?.close()
    },
  }
}
