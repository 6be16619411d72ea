import type { Logger } from 'pino'
import { createAgents } from '../../api/agents/app.ts'
import { ENDPOINT } from '../../api/agents/door/metadata.ts'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { agentTokens } from '../../api/oauth/agent-tokens.ts'
import type { Service } from '../../api/service.ts'
import type { Config } from '../config.ts'
import { open, seal } from '../vault/sealing.ts'
import type { Background } from './background.ts'
import { connectionBounds, type Listening, listen } from './listening.ts'
import { reachable } from './public-listener.ts'

interface Monitoring {
  readonly metrics: RequestMetrics
  readonly logger: Logger
}

/** The agent server at its address. */
export interface ListeningAgents extends Listening {
  /** What people type into an agent. */
  readonly address: string
}

/** Connections at once. Each agent keeps a few open. */
const CONNECTIONS = { total: 2000, each: 500, requestMs: 60_000 }

/** How long a call may take before it answers a handle: less than a minute, after which clients give up. */
const PATIENCE_MS = 40_000

/**
 * Serves agents.
 *
 * @param api what the API serves, since agents call the same operations
 * @throws {Error} when the address is taken
 */
export const startAgents = async (
  { stores }: Background,
  api: { readonly service: Service; readonly url: string },
  config: Config,
  { metrics }: Monitoring,
): Promise<ListeningAgents> => {
  const { host, mcpPort, mcpUrl, mcpOrigins, apiUrl, proxies } = config
  const { secrets, shortTerm, readModels } = stores
  const { now } = api.service
  const key = secrets.derive('agents', 'answers')
  let own = ''
  const service = {
    ...api.service,
    shortTerm,
    agentTokens: agentTokens({ shortTerm, live: readModels.live, generationOf: () => 0, now }),
    agentsUrl: () => (mcpUrl ?? own) + ENDPOINT,
    issuer: apiUrl ?? reachable(api.url),
    sealing: { seal: (data: Parameters<typeof seal>[1]) => seal(key, data), open: (text: string) => open(key, text) },
    patienceMs: PATIENCE_MS,
  }
  const { rateLimitPerMinute, bodyLimitBytes, failedAttemptsPerMinute } = config
  const limits = { rateLimitPerMinute, bodyLimitBytes, failedAttemptsPerMinute }
  const app = createAgents(service, { ...limits, metrics, proxies, origins: mcpOrigins })
  const address = { host, port: mcpPort, setting: 'MILLRACE_MCP_PORT' }
  const listening = await listen(app.callback(), address, connectionBounds(CONNECTIONS, proxies))
  own = `http://localhost:${new URL(listening.url).port}`
  return { ...listening, address: service.agentsUrl() }
}
