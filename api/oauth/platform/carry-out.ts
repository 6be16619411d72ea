import { CLOCK_ADVANCES } from '../../../domain/account/public.ts'
import type { Ask } from '../../../domain/kernel/decide/ask.ts'
import type { MintId } from '../../../domain/kernel/values/ids.ts'
import { Refusal, refuse } from '../../../domain/kernel/values/refusal.ts'
import { type CommandService as Commands, carryOutFor } from '../../commands.ts'
import type { Service } from '../../service.ts'

/** What commands are carried out by. */
export type CommandService = Commands & Pick<Service, 'advances' | 'now'>

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
  service: CommandService,
  { requestId: cause, ...place }: Place,
  asking: (mint: MintId) => Ask,
): Promise<void> => {
  const { workspaceId } = place
  if (workspaceId !== undefined && (await service.advances(workspaceId))) throw refuse.unavailable(CLOCK_ADVANCES)
  const at = new Date(service.now(workspaceId)).toISOString()
  const result = await carryOutFor(service)({ ...place, actor: ACTOR, at, cause }, asking)
  if (result instanceof Refusal) throw result
}
