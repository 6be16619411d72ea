import { createAgents } from '../../api/agents/app.ts'
import { ENDPOINT } from '../../api/agents/door/metadata.ts'
import type { AgentService } from '../../api/agents/service.ts'
import type { RequestMetrics } from '../../api/http/observe.ts'
import { agentTokens } from '../../api/oauth/agent-tokens.ts'
import { generationOf } from '../../api/oauth/open.ts'
import type { Service } from '../../api/service.ts'
import type { Config } from '../config.ts'
import type { Port } from './listening.ts'

/** How long a call may take before it answers a handle: less than a minute, after which clients give up. */
const PATIENCE_MS = 40_000

/**
 * Serves agents.
 *
 * @param api what the API serves: agents call the same operations
 * @returns what people type into an agent
 */
export const startAgents = (
  api: Service,
  config: Config,
  port: Port,
  metrics: RequestMetrics,
  patienceMs = PATIENCE_MS,
): string => {
  const { mcpUrl, mcpOrigins: origins, proxies } = config
  const { shortTerm, everywhere } = api
  const agentsUrl = (mcpUrl ?? `http://localhost:${new URL(port.url).port}`) + ENDPOINT
  const service: AgentService = {
    ...api,
    agentsUrl,
    agentTokens: agentTokens({ shortTerm, everywhere, generationOf: generationOf(api), now: () => api.now() }),
    patienceMs,
  }
  const { rateLimitPerMinute, bodyLimitBytes, failedAttemptsPerMinute } = config
  const limits = { rateLimitPerMinute, bodyLimitBytes, failedAttemptsPerMinute }
  const app = createAgents(service, { ...limits, metrics, proxies, origins })
  port.serve(app.callback())
  return agentsUrl
}
