import type { Logger } from 'pino'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Outbound } from '../../domain/kernel/ports/outbound.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Secrets } from '../../domain/kernel/ports/secrets.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import type { Loader, PastSubject } from '../../domain/resources/view-types.ts'
import type { Snapshot } from '../../projections/loading/past-loader.ts'
import type { Clock } from '../reactor/lanes.ts'

/** Dependencies of outgoing webhooks. */
export interface WebhookDeps {
  readonly resources: ReadonlyMap<string, Resource>
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  readonly vault: Vault
  readonly secrets: Secrets
  readonly outbound: Outbound
  /** Returns a record as its endpoint showed it at a past revision. */
  readonly snapshot: (subject: PastSubject) => Promise<Snapshot | undefined>
  /** Creates a loader over the live read models. */
  readonly loader: () => Loader
  /** Waits until the documents are at least as new as a position. @throws {Refusal} unavailable, when that takes too long */
  readonly seen: (at: { readonly position: number }) => Promise<void>
  readonly ids: Ids
  readonly now: Clock
  readonly logger: Logger
}
