import { setTimeout as sleep } from 'node:timers/promises'
import { type AwaitPosition, onceReadable } from '../../domain/kernel/engine/readable.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'

/** What a reactor tells of a workspace. */
export interface Waiting {
  /** Position up to which events have been taken up. */
  readonly taken: number
  /**
   * `busy`: something of the workspace is under way, or could begin now. `due`: by its clock, when the first is that waits in the books for a
   * time of its own; milliseconds since 1970.
   */
  waiting(workspaceId: number): { readonly busy: boolean; readonly due: number | undefined }
  /** Begins what has become due. */
  wake(): void
}

export interface QuietDeps {
  readonly log: EventLog
  readonly reactor: Waiting
  /** Whether the read models got to a position in time. */
  readonly reached: AwaitPosition
}

const LOOK_MS = 2

/** Whether something happened in a workspace behind one position and not behind the other. */
const happenedIn = async (log: EventLog, workspaceId: number, after: number, upTo: number): Promise<boolean> => {
  if (after === upTo) return false
  for await (const { position, metadata } of log.readAll({ after })) {
    if (position > upTo) return false
    if (metadata.workspace_id === workspaceId) return true
  }
  return false
}

/**
 * Waits until everything that happened in a workspace can be read, and all that followed from it is done or waits for its time. Others go
 * on meanwhile: only what happens in this workspace counts.
 *
 * @throws {Refusal} unavailable, when it is over while the read models do not follow
 */
export const quiet = async (
  { log, reactor, reached }: QuietDeps,
  workspaceId: number,
  isOver: () => boolean,
): Promise<void> => {
  /** All up to here had been taken up before the reactor was asked. */
  let before: number | undefined
  while (!isOver()) {
    if (reactor.waiting(workspaceId).busy) {
      await sleep(LOOK_MS)
      continue
    }
    const head = await log.lastPosition()
    await onceReadable(reached, head, isOver)
    while (reactor.taken < head && !isOver()) await sleep(LOOK_MS)
    // Nothing was under way, and nothing had happened that could have begun since: it stays so.
    if (before !== undefined && !(await happenedIn(log, workspaceId, before, head))) return
    before = head
  }
}
