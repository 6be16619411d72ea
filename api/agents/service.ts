import type { ShortTermStore } from '../../domain/kernel/ports/short-term-store.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { AgentTokens } from '../oauth/agent-tokens.ts'
import type { Service } from '../service.ts'

/** Dependencies of the agent server. */
export interface AgentService extends Service {
  readonly shortTerm: ShortTermStore
  readonly agentTokens: AgentTokens
  /** Returns the address that people type into an agent, with its path. */
  readonly agentsUrl: () => string
  /** Address of the API's listener, which issues tokens; without a slash at its end. */
  readonly issuer: string
  /** Seals answers that are kept for a short time. */
  readonly sealing: { seal(data: JsonObject): string; open(sealed: string): JsonObject }
  /** How long a call may take before it answers a handle, in milliseconds. */
  readonly patienceMs: number
}
