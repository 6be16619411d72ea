import type { Ask } from '../../domain/kernel/decide/ask.ts'
import type { MintId } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { carryOutFor } from '../commands.ts'
import type { MemberRequest } from './request.ts'

const ACTOR = { label: 'member' }

/**
 * Carries out a command that a member asks for, and waits until the next page can show it.
 *
 * @param asked the command, or what makes it with the ids of new records
 * @returns the refusal, if the rules have one
 * @throws {Refusal} unavailable
 */
export const carryOut = async (
  {
    ctx,
    service,
    site: { workspaceId },
    workspace,
    at,
  }: Pick<MemberRequest, 'ctx' | 'service' | 'site' | 'workspace' | 'at'>,
  asked: Ask | ((mint: MintId) => Ask),
): Promise<Refusal | undefined> => {
  const occasion = { actor: ACTOR, at, cause: ctx.state.requestId, workspaceId, teamId: Number(workspace.team_id) }
  const result = await carryOutFor(service)(occasion, asked)
  return result instanceof Refusal ? result : undefined
}
