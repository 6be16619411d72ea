import { CLOCK_ADVANCES } from '../../../domain/account/public.ts'
import { type Ask, instanceOf, stampCommand } from '../../../domain/kernel/decide/ask.ts'
import { type MintId, mintFrom, withIds } from '../../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../../domain/kernel/values/refusal.ts'
import { READ_YOUR_WRITES_MS } from '../../handlers/read-your-writes.ts'
import type { Service } from '../../service.ts'

/** What commands are carried out by. */
export type CommandService = Pick<Service, 'engine' | 'ids' | 'advances' | 'progress' | 'now'>

const ACTOR = { label: 'oauth' }

/** For whom a command is carried out. */
export interface Place {
  readonly teamId: number
  /** Absent for what concerns a whole team. */
  readonly workspaceId?: number
  readonly requestId: string
}

/**
 * Carries out a command of the authorization server in a workspace, and waits until its result can be read.
 *
 * @throws {Refusal} as the rules refuse it; unavailable while the clock of the workspace is being advanced
 */
export const carryOut = async (
  { engine, ids, advances, progress, now }: CommandService,
  { teamId, workspaceId, requestId }: Place,
  asking: (mint: MintId) => Ask,
): Promise<void> => {
  if (workspaceId !== undefined && (await advances(workspaceId))) throw refuse.unavailable(CLOCK_ADVANCES)
  const stamp = { at: new Date(now(workspaceId)).toISOString(), actor: ACTOR }
  const result = await withIds(ids, () => {
    const mint = mintFrom(ids)
    const asked = asking(mint)
    const { id, isNew } = instanceOf(asked, mint)
    const causes = { causationId: requestId, correlationId: requestId }
    return engine.transact({
      ...stampCommand(asked, stamp, id),
      isNew,
      teamId,
      ...(workspaceId !== undefined && { workspaceId }),
      ...causes,
    })
  })
  if (result instanceof Refusal) throw result
  await progress.reached(result.position, READ_YOUR_WRITES_MS)
}
