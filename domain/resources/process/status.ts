/** Words for where a process stands, in the spelling of the log and of documents. */
export const RUNNING = 'going'
export const COMPENSATING = 'undoing'
export const COMPENSATED = 'undone'
export const COMPLETED = 'completed'

/** The words that answers show. */
export const SHOWN_STATUS: Readonly<Record<string, string>> = {
  [RUNNING]: 'running',
  [COMPENSATING]: 'compensating',
  [COMPENSATED]: 'compensated',
  [COMPLETED]: 'completed',
}

/** Of a process that has not ended. */
export const UNDER_WAY: readonly string[] = [RUNNING, COMPENSATING]
