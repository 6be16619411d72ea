import { createAgents } from '../../api/agents/app.ts'
import { ENDPOINT } from '../../api/agents/door/metadata.ts'
import type { AgentService } from '../../api/agents/service.ts'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { agentTokens } from '../../api/oauth/agent-tokens.ts'
import { generationOf } from '../../api/oauth/open.ts'
import type { Service } from '../../api/service.ts'
import type { Config } from '../config.ts'
import { connectionBounds, type Listening, listen } from './listening.ts'

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
 * @param api what the API serves: agents call the same operations
 * @throws {Error} when the address is taken
 */
export const startAgents = async (
  api: Service,
  config: Config,
  metrics: RequestMetrics,
  patienceMs = PATIENCE_MS,
): Promise<ListeningAgents> => {
  const { host, mcpPort, mcpUrl, mcpOrigins: origins, proxies } = config
  const { shortTerm, live } = api
  let agentsUrl = ''
  const service: AgentService = {
    ...api,
    get agentsUrl() {
      return agentsUrl
    },
    agentTokens: agentTokens({ shortTerm, live, generationOf: generationOf(api), now: () => api.now() }),
    patienceMs,
  }
  const { rateLimitPerMinute, bodyLimitBytes, failedAttemptsPerMinute } = config
  const limits = { rateLimitPerMinute, bodyLimitBytes, failedAttemptsPerMinute }
  const app = createAgents(service, { ...limits, metrics, proxies, origins })
  const address = { host, port: mcpPort, setting: 'MILLRACE_MCP_PORT' }
  const listening = await listen(app.callback(), address, connectionBounds(CONNECTIONS, proxies))
  agentsUrl = (mcpUrl ?? `http://localhost:${new URL(listening.url).port}`) + ENDPOINT
  return { ...listening, address: agentsUrl }
}
