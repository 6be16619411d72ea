import type { Ask } from '../domain/kernel/decide/ask.ts'
import type { Actor } from '../domain/kernel/decide/command.ts'
import { desk } from '../domain/kernel/engine/desk.ts'
import type { Outcome, Repeated } from '../domain/kernel/engine/transaction.ts'
import type { MintId } from '../domain/kernel/values/ids.ts'
import { Refusal } from '../domain/kernel/values/refusal.ts'
import { READ_YOUR_WRITES_MS } from './handlers/read-your-writes.ts'
import type { Service } from './service.ts'

/** What commands are carried out by. */
export type CommandService = Pick<Service, 'engine' | 'ids' | 'progress'>

/** Who asks for a command, when and where. */
export interface Occasion {
  readonly actor: Actor
  /** ISO 8601. */
  readonly at: string
  readonly requestId: string
  readonly teamId?: number | undefined
  /** Absent for what concerns a whole team, or nobody's. */
  readonly workspaceId?: number | undefined
}

/** Carries out a command that no operation of the API stands for, and waits until its effect can be read. @returns the refusal, if the rules have one */
export const carryOutFor = async (
  { engine, ids, progress }: CommandService,
  { actor, at, requestId, teamId, workspaceId }: Occasion,
  asking: (mint: MintId) => Ask,
): Promise<Outcome | Repeated | Refusal> => {
  const occasion = { actor, at, teamId, workspaceId, cause: requestId }
  const result = await desk({ engine, ids })(occasion, asking)
  if (!(result instanceof Refusal) && result.position >= 0) await progress.reached(result.position, READ_YOUR_WRITES_MS)
  return result
}
