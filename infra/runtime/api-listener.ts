import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import type { Logger } from 'pino'
import { collectDefaultMetrics, Gauge, Registry } from 'prom-client'
import { createApi } from '../../api/app.ts'
import { PREFIX } from '../../api/http/operate.ts'
import type { Config } from '../config.ts'
import { audienceModel } from '../external/audience-model.ts'
import type { Background } from './background.ts'
import { addReactorMetrics } from './reactor-metrics.ts'

/** How long requests under way may take once the process has been asked to stop. */
const DRAIN_MS = 10_000
/** Longer than a proxy in front keeps an idle connection, so that it is never the server that cuts one off in use. */
const KEEP_ALIVE_MS = 65_000

export interface Listener {
  /** Where it listens, for people and programs on this machine. */
  readonly url: string
  /** Where the API begins. */
  readonly address: string
  /** Takes no new requests and lets those under way finish. */
  stop(): Promise<void>
}

const listen = (server: Server, host: string, port: number): Promise<string> =>
  new Promise((resolve, reject) => {
    server.once('error', reject)
    server.listen(port, host, () => {
      const { family, address, port: actual } = server.address() as AddressInfo
      resolve(`http://${family === 'IPv6' ? `[${address}]` : address}:${actual}`)
    })
  })

const drain = async (server: Server): Promise<void> => {
  const closed = new Promise<void>((resolve) => server.close(() => resolve()))
  server.closeIdleConnections()
  const timer = setTimeout(() => server.closeAllConnections(), DRAIN_MS)
  await closed
  clearTimeout(timer)
}

const metricsOf = (background: Background): Registry => {
  const registry = new Registry()
  collectDefaultMetrics({ register: registry, prefix: 'millrace_' })
  new Gauge({
    name: 'millrace_projection_position',
    help: 'Position in the log up to which documents are readable',
    registers: [registry],
    collect() {
      this.set(background.position)
    },
  })
  new Gauge({
    name: 'millrace_log_position',
    help: 'Position of the last event in the log',
    registers: [registry],
    async collect() {
      this.set(await background.stores.log.lastPosition())
    },
  })
  const { books, writeAheadBytes } = background.stores
  addReactorMetrics(registry, books)
  if (writeAheadBytes)
    new Gauge({
      name: 'millrace_write_ahead_bytes',
      help: 'Size of the write-ahead log of a file; it grows while somebody reads the file for long',
      labelNames: ['file'],
      registers: [registry],
      collect() {
        for (const [file, bytes] of Object.entries(writeAheadBytes())) this.set({ file }, bytes)
      },
    })
  return registry
}

/** Serves the REST API; without the role only probes and numbers. @throws {Error} when the address is taken */
export const startApi = async (background: Background, config: Config, logger: Logger): Promise<Listener> => {
  const { core, stores, reached, outbound } = background
  const { log, vault, publicIds, secrets, readModels, books } = stores
  let stopping = false
  const app = createApi(
    {
      ...core,
      log,
      vault,
      publicIds,
      secrets,
      outbound,
      live: readModels.live,
      progress: { reached },
      logger,
      books,
      external: config.model ? { audiences: audienceModel(config.model) } : {},
    },
    {
      health: { notReady: () => (stopping ? 'stopping' : undefined) },
      registry: metricsOf(background),
      rateLimitPerMinute: config.rateLimitPerMinute,
      bodyLimitBytes: config.bodyLimitBytes,
      behindProxy: config.behindProxy,
    },
  )
  const server = createServer(app.callback())
  server.keepAliveTimeout = KEEP_ALIVE_MS
  const url = await listen(server, config.host, config.port)
  return {
    url,
    address: url + PREFIX,
    async stop() {
      stopping = true
      await drain(server)
    },
  }
}
