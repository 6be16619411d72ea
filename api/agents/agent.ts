import { boundTo } from '../../domain/kernel/decide/bound-reader.ts'
import type { FactReader } from '../../domain/kernel/decide/command.ts'
import type { JsonPath } from '../http/lossy-numbers.ts'
import type { AgentAccess } from '../oauth/agent-tokens.ts'
import type { Catalogue } from './catalogue.ts'
import type { Questions } from './door/questions.ts'
import type { Session } from './door/session.ts'
import type { AgentService } from './service.ts'

/** One request of an agent: who sent it, and what it may reach. */
export interface Agent {
  readonly service: AgentService
  readonly catalogue: Catalogue
  readonly access: AgentAccess
  readonly requestId: string
  /** Session of an earlier protocol that the request belongs to. */
  readonly session?: Session | undefined
  readonly questions: Questions
  /** Paths of numbers in the request that lose digits. */
  readonly lossyNumbers: readonly JsonPath[]
}

/** Returns read access to the records of the workspace that an agent may reach. */
export const recordsOf = ({
  service,
  access: { caller, workspaceId },
}: Pick<Agent, 'service' | 'access'>): FactReader => boundTo(service.everywhere, { teamId: caller.teamId, workspaceId })
