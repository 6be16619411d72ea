import type { Engine } from '../../domain/kernel/engine/engine.ts'
import type { keyedQueues } from '../../domain/kernel/engine/keyed-queues.ts'
import type { AuthoredTexts } from '../../domain/kernel/ports/authored-texts.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { Vault } from '../../domain/kernel/ports/vault.ts'
import type { Ids } from '../../domain/kernel/values/ids.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import type { History } from '../../projections/history.ts'
import type { OlderCopy } from '../older-copy.ts'
import type { Clock } from '../reactor/lanes.ts'
import type { BegunRuns } from './begun-runs.ts'

/** Dependencies of the runs of workflows. */
export interface RunsDeps {
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  /** Steps that take turns are taken by one run after the other. */
  readonly stepTurns: ReturnType<typeof keyedQueues>
  readonly begun: Pick<BegunRuns, 'of' | 'watch'>
  readonly vault: Vault
  readonly texts: Pick<AuthoredTexts, 'render'>
  readonly ids: Ids
  readonly now: Clock
  readonly resources: ReadonlyMap<string, Resource>
  readonly olderCopy: OlderCopy
  readonly history: Pick<History, 'document' | 'lastOf' | 'before'>
  /** Waits until the documents are at least as new as a position. @throws {Refusal} unavailable, when that takes too long */
  readonly seen: (at: { readonly position: number }) => Promise<void>
}
