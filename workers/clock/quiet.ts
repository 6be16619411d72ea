import { setTimeout as sleep } from 'node:timers/promises'
import { type AwaitPosition, waitUntilReadable } from '../../domain/kernel/engine/readable.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'

/** State of a reactor, for one workspace. */
export interface Waiting {
  /** Position up to which events have been taken up. */
  readonly taken: number
  /**
   * `busy`: a task of the workspace runs or could begin now. `due`: when, by the clock of the workspace, the first of its
   * later tasks is due; milliseconds since 1970.
   */
  waiting(workspaceId: number): { readonly busy: boolean; readonly due: number | undefined }
  /** Starts what has become due. */
  wake(): void
}

export interface QuietDeps {
  readonly log: EventLog
  readonly reactor: Waiting
  /** Tells whether the read models reach a position in time. */
  readonly reached: AwaitPosition
}

const LOOK_MS = 2

/** Whether a workspace has an event after one position and up to another. */
const happenedIn = async (log: EventLog, workspaceId: number, after: number, upTo: number): Promise<boolean> => {
  if (after === upTo) return false
  for await (const { position, metadata } of log.readAll({ after })) {
    if (position > upTo) return false
    if (metadata.workspace_id === workspaceId) return true
  }
  return false
}

/**
 * Waits until everything that happened in a workspace can be read, and everything that followed from it is done or waits to
 * become due. Events of other workspaces do not matter.
 *
 * @throws {Refusal} unavailable, when it is over before the read models have caught up
 */
export const quiet = async (
  { log, reactor, reached }: QuietDeps,
  workspaceId: number,
  isOver: () => boolean,
): Promise<void> => {
  /** Position up to which everything had been taken up before the reactor was asked. */
  let before: number | undefined
  while (!isOver()) {
    if (reactor.waiting(workspaceId).busy) {
      await sleep(LOOK_MS)
      continue
    }
    const head = await log.lastPosition()
    await waitUntilReadable(reached, head, isOver)
    while (reactor.taken < head && !isOver()) await sleep(LOOK_MS)
    // No task ran, and no event came since that could start one: it stays quiet.
    if (before !== undefined && !(await happenedIn(log, workspaceId, before, head))) return
    before = head
  }
}
