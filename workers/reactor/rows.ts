import type { DeadLetter, PendingTask, StoreChange } from '../../domain/kernel/ports/reactor-store.ts'
import { withoutAddresses } from '../../domain/kernel/react/failure.ts'
import { beginningOf } from '../../domain/kernel/values/characters.ts'
import type { Lane, Task } from './lanes.ts'

const LONGEST_MESSAGE = 500

/** Returns the first line of an error as it is stored: cut to `LONGEST_MESSAGE`, with e-mail addresses masked. */
export const messageOf = (error: unknown): string => {
  const [line = ''] = (error instanceof Error ? error.message : String(error)).split('\n')
  return beginningOf(withoutAddresses(line), LONGEST_MESSAGE)
}

const rowOf = ({ lane, group }: Lane, { reaction, event, attempts }: Task) => ({
  lane,
  position: event.position,
  reaction: reaction.name,
  gate: group,
  workspace_id: event.metadata.workspace_id ?? null,
  attempts,
})

/** Returns the row of a pending task. @param due as in the row */
export const owedRow = (lane: Lane, task: Task, due: number | null, error: string | null = null): PendingTask => ({
  ...rowOf(lane, task),
  due,
  error,
})

export const deadLetter = (lane: Lane, task: Task, error: string, now: number): DeadLetter => ({
  ...rowOf(lane, task),
  error,
  at: new Date(now).toISOString(),
})

export const refusalsOf = (
  { reaction, event }: Task,
  reasons: readonly string[],
  now: number,
): readonly StoreChange[] =>
  reasons.map((reason) => ({
    refused: {
      reaction: reaction.name,
      position: event.position,
      workspace_id: event.metadata.workspace_id ?? null,
      at: new Date(now).toISOString(),
      reason: withoutAddresses(reason),
    },
  }))

/** Returns the name under which the cursor of a task is stored. */
export const cursorOf = ({ lane }: Lane, { event }: Task): string => `${lane}@${event.position}`
