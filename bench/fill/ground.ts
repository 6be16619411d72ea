import { randomUUID } from 'node:crypto'
import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Core } from '../../infra/runtime/core.ts'

/** Where the records are put. */
export interface Ground {
  readonly workspaceId: number
  readonly teamId: number
  /** Stages of the workspace's pipeline, in order. */
  readonly stageIds: readonly number[]
}

/** Carries out one command there; gives how many events it made. @throws {Refusal} when it is refused */
export type Act = (aggregate: Decider, id: number, command: RecordCommand, isNew: boolean) => Promise<number>

/** Commands in flight together: each batch of them is one flush of the disk or two. */
export const TOGETHER = 4000

export const actor =
  (core: Core, { workspaceId, teamId }: Ground): Act =>
  async (aggregate, id, command, isNew) => {
    const cause = randomUUID()
    const outcome = await core.engine.transact({
      aggregate,
      id,
      command,
      isNew,
      teamId,
      workspaceId,
      causationId: cause,
      correlationId: cause,
    })
    if (outcome instanceof Refusal) throw outcome
    return 'events' in outcome ? outcome.events.length : 0
  }
