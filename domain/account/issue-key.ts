import { type Ask, ask } from '../kernel/decide/ask.ts'
import type { Documents } from '../kernel/decide/command.ts'
import { type Refusal, refuse } from '../kernel/values/refusal.ts'
import { apiKey } from './api-key.ts'

/** Key to issue. Its token is shown to whoever makes it, and stored nowhere. */
export interface IssuedKey {
  readonly teamId: number
  /** `null`: all workspaces of the team. */
  readonly workspaceId: number | null
  readonly scopes: readonly string[]
  readonly label: string
  /** Digest of the token. */
  readonly hash: string
  /** First characters of the token. */
  readonly hint: string
  /** The person who makes it; `null`: the operator. */
  readonly madeById: number | null
  /** The application that gets it for its own team; `null`: none does. */
  readonly applicationId?: number | null
}

/** Returns the command that issues a key under a new id: it acts as the agent of its team. */
export const issueKey = async (
  id: number,
  { teamId, workspaceId, madeById, applicationId = null, ...key }: IssuedKey,
  read: Pick<Documents, 'find'>,
): Promise<Ask | Refusal> => {
  const members = await read.find('membership', { where: { team_id: teamId } })
  const agent = members.find((member) => member.platform_agent === true)
  if (!agent) return refuse.notFound('No such team')
  return ask(apiKey.aggregate, id, 'create', {
    ...{ ...key, user_id: Number(agent.user_id), membership_id: Number(agent.id) },
    ...{ made_by_id: madeById, only_workspace_id: workspaceId, platform_application_id: applicationId },
  })
}
