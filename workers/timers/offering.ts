import type { RecordedEvent } from '../../domain/kernel/values/event.ts'

/** Takes up tasks for events that were not read just now. */
export interface Offering {
  /** @returns false when what the task would go behind is busy already */
  offer(reactionName: string, event: RecordedEvent): boolean
}
