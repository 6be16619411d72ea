import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

/** Takes up tasks for events that were read before. */
export interface TaskAcceptor {
  /** @returns false when the lane of the task has something to do already */
  offer(reactionName: string, event: RecordedEvent): boolean
}
