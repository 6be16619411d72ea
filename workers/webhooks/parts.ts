import type { Logger } from 'pino'
import type { Engine } from '../../domain/kernel/engine.ts'
import type { Ids } from '../../domain/kernel/id.ts'
import type { Checkpoints } from '../../domain/kernel/ports/checkpoints.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Resource } from '../../domain/kinds/resource.ts'
import type { Loader, PastSubject } from '../../domain/kinds/showing.ts'
import type { Snapshot } from '../../projections/loading.ts'

/** What outgoing webhooks are delivered with. */
export interface WebhookParts {
  readonly resources: ReadonlyMap<string, Resource>
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  readonly vault: Vault
  readonly checkpoints: Checkpoints
  readonly secrets: Secrets
  readonly outbound: Outbound
  /** Records as their endpoints showed them. */
  readonly snapshot: (subject: PastSubject) => Promise<Snapshot | undefined>
  /** Look-ups over the live read models. */
  readonly loader: () => Loader
  /** Whether the read models got to a position in time; and how far they are. */
  readonly reached: (position: number, timeoutMs: number) => Promise<boolean>
  readonly projected: () => number
  readonly ids: Ids
  /** Milliseconds since 1970. */
  readonly now: () => number
  readonly logger: Logger
  readonly onFailure: (error: unknown) => void
}

const PATIENCE_MS = 5000

/** Resolves when the read models have got to a position, however long that takes, or when `isOver` says that nobody waits any more. */
export const whenReadable = async (
  { reached }: Pick<WebhookParts, 'reached'>,
  position: number,
  isOver: () => boolean = () => false,
): Promise<void> => {
  while (!isOver() && !(await reached(position, PATIENCE_MS)));
}
