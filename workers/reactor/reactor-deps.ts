import type { Logger } from 'pino'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import type { Clock } from './lanes.ts'

/** Dependencies of a reactor. */
export interface ReactorDeps {
  readonly log: EventLog
  readonly reactorStore: ReactorStore
  readonly now: Clock
  readonly logger: Logger
  /** Called with an error after which the process must be restarted. */
  readonly onFailure: (error: unknown) => void
  /** Whether other processes may write to the reactor store. Pending tasks are then read again from time to time. */
  readonly shared?: boolean
  /** Milliseconds before the next attempt; default: from a second on, doubled each time, with jitter. */
  readonly pause?: (attempts: number) => number
}
