/** Statuses of a process, as they are spelled in the log and in documents. */
export const RUNNING = 'going'
export const COMPENSATING = 'undoing'
export const COMPENSATED = 'undone'
export const COMPLETED = 'completed'

/** Statuses as answers show them. */
export const SHOWN_STATUS: Readonly<Record<string, string>> = {
  [RUNNING]: 'running',
  [COMPENSATING]: 'compensating',
  [COMPENSATED]: 'compensated',
  [COMPLETED]: 'completed',
}

/** Statuses of a process that has not ended. */
export const UNDER_WAY: readonly string[] = [RUNNING, COMPENSATING]
