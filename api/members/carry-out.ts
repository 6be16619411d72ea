import { CLOCK_ADVANCES } from '../../domain/account/public.ts'
import { type Ask, instanceOf, stampCommand } from '../../domain/kernel/decide/ask.ts'
import { type MintId, mintFrom, withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../domain/kernel/values/refusal.ts'
import { READ_YOUR_WRITES_MS } from '../handlers/read-your-writes.ts'
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
  const { engine, ids, advances, progress } = service
  if (await advances(workspaceId)) throw refuse.unavailable(CLOCK_ADVANCES)
  const { requestId } = ctx.state
  const result = await withIds(ids, () => {
    const mint = mintFrom(ids)
    const one = typeof asked === 'function' ? asked(mint) : asked
    const { id, isNew } = instanceOf(one, mint)
    return engine.transact({
      ...stampCommand(one, { at, actor: ACTOR }, id),
      ...{ isNew, workspaceId, teamId: Number(workspace.team_id) },
      ...{ causationId: requestId, correlationId: requestId },
    })
  })
  if (result instanceof Refusal) return result
  await progress.reached(result.position, READ_YOUR_WRITES_MS)
  return undefined
}
