import type { AgentTokens } from '../oauth/agent-tokens.ts'
import type { Service } from '../service.ts'

/** Dependencies of the agent server. */
export interface AgentService extends Service {
  readonly agentTokens: AgentTokens
  /** How long a call may take before it answers a handle, in milliseconds. */
  readonly patienceMs: number
}
