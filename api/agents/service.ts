import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { AgentTokens } from '../oauth/agent-tokens.ts'
import type { Service } from '../service.ts'

/** Dependencies of the agent server. */
export interface AgentService extends Service {
  readonly agentTokens: AgentTokens
  /** Seals answers that are kept for a short time. */
  readonly sealing: { seal(data: JsonObject): string; open(sealed: string): JsonObject }
  /** How long a call may take before it answers a handle, in milliseconds. */
  readonly patienceMs: number
}
