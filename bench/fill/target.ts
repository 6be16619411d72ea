import { randomUUID } from 'node:crypto'
import type { Decider } from '../../domain/kernel/decide/decider.ts'
import type { RecordCommand } from '../../domain/kernel/decide/rules.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { Core } from '../../infra/runtime/core.ts'

/** The workspace that gets the records. */
export interface FillTarget {
  readonly workspaceId: number
  readonly teamId: number
  /** Stages of the workspace's pipeline, in order. */
  readonly stageIds: readonly number[]
}

/** Executes one command in the workspace. @returns the number of its events @throws {Refusal} */
export type Act = (aggregate: Decider, id: number, command: RecordCommand, isNew: boolean) => Promise<number>

/** Number of commands in flight. Each batch needs one or two flushes of the disk. */
export const TOGETHER = 4000

export const actor =
  (core: Core, { workspaceId, teamId }: FillTarget): Act =>
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
