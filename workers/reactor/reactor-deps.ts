import type { Logger } from 'pino'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReactorStore } from '../../domain/kernel/ports/reactor-store.ts'
import type { Clock } from './lanes.ts'

/** What a reactor works with. */
export interface ReactorDeps {
  readonly log: EventLog
  readonly reactorStore: ReactorStore
  readonly now: Clock
  readonly logger: Logger
  /** Told of a fault that a restart must show. */
  readonly onFailure: (error: unknown) => void
  /** Whether other processes may put rows into the books: then these are looked for now and then. */
  readonly shared?: boolean
  /** Milliseconds before the next try; default: from a second on, doubled each time, with jitter. */
  readonly pause?: (attempts: number) => number
}
