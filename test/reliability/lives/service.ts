import { randomUUID } from 'node:crypto'
import { resources as every } from '../../../domain/index.ts'
import type { Decider } from '../../../domain/kernel/decide/decider.ts'
import { upcasterOf } from '../../../domain/kernel/decide/upcast.ts'
import { createEngine, type Engine } from '../../../domain/kernel/engine/engine.ts'
import type { Adapters } from '../../../domain/kernel/ports/calls.ts'
import type { EventLog } from '../../../domain/kernel/ports/event-log.ts'
import type { Document, Query } from '../../../domain/kernel/ports/read-models.ts'
import type { JsonObject, RecordedEvent } from '../../../domain/kernel/values/event.ts'
import { Refusal } from '../../../domain/kernel/values/refusal.ts'
import { charges } from '../../../domain/orders/billing/charge.ts'
import { refunds } from '../../../domain/orders/billing/refund.ts'
import { orders as family } from '../../../domain/orders/index.ts'
import { gatewayNotification, refundFailure, unknownPayment } from '../../../domain/payments/public.ts'
import { aggregatesOf } from '../../../domain/resources/resource.ts'
import { createProjection } from '../../../projections/projection.ts'
import { processReactions } from '../../../workers/calls/reactions.ts'
import { performer } from '../../../workers/policies/perform.ts'
import { policyReaction } from '../../../workers/policies/reaction.ts'
import type { Reaction } from '../../../workers/reactor/reaction.ts'
import { createSemaphore } from '../../../workers/reactor/semaphore.ts'
import { dueBy, keyOf, newestEventOf, nextDue } from '../../../workers/timers/due.ts'
import { timerReaction } from '../../../workers/timers/reaction.ts'
import { naiveFind } from '../../infra/read-models/naive.ts'
import { MemoryReadModels } from '../../support/memory/read-models.ts'
import { OpenVault, ids as publicIds } from '../../support/projection.ts'
import type { Clocks } from './clocks.ts'

/** What has timers besides orders. */
const others = every.filter(({ name }) => ['communities/digest', 'course', 'courses/section'].includes(name))
export const resources = [...family.resources, gatewayNotification, refundFailure, unknownPayment, ...others]
const aggregates = aggregatesOf(resources)
const upcast = upcasterOf(aggregates)
const timed = resources.filter(({ timers }) => timers)

/** Documents in memory with queries. */
class FoundReadModels extends MemoryReadModels {
  override find(collection: string, query: Query = { where: {} }): Document[] {
    return naiveFind(super.find(collection), query)
  }
}

/** What survives a kill: the log from a position on, its documents, and a supply of ids. */
export interface Kept {
  readonly log: EventLog
  readonly workspaceId: number
  readonly mint: () => number
}

/** A command for a record in a stream. */
export interface Wanted {
  readonly aggregate: Decider
  readonly id: number
  readonly type: string
  readonly wanted?: JsonObject
  readonly child?: string
  readonly childId?: number
  readonly ids?: readonly number[]
}

/** Documents of a life, which follow the log when they are told to. */
export const openDocuments = ({ log }: Kept, after: number, catalogue: readonly [string, Document][]) => {
  const live = new FoundReadModels()
  const project = createProjection({ resources, vault: new OpenVault(), upcast, publicIds })
  live.applyPartly(catalogue.map(([collection, document]) => ({ collection, id: document.id, document, position: 0 })))
  let position = after
  return {
    live,
    async follow(): Promise<void> {
      const batch: RecordedEvent[] = []
      for await (const event of log.readAll({ after: position })) batch.push(event)
      await project(batch, live)
      position = batch.at(-1)?.position ?? position
    },
  }
}

export type Documents = ReturnType<typeof openDocuments>

/** Timers that are due and do not fire stay so until their record changes. */
class TimerNotes {
  readonly stuckAt = new Map<string, number>()
  settled(resource: { readonly name: string }, id: number): void {
    this.stuckAt.delete(`${resource.name} ${id}`)
  }
  stuck(resource: { readonly name: string }, id: number, revision: number): void {
    this.stuckAt.set(`${resource.name} ${id}`, revision)
  }
}

interface ServiceDeps extends Kept {
  readonly documents: Documents
  readonly clocks: Clocks
  readonly adapters: Adapters
  /** Lets the engine that reactions use die. */
  readonly mortally: <T extends object>(one: T, names: readonly (keyof T)[]) => T
}

/** One run of the service: it has no state beyond the log, the documents and the tasks. */
export const startService = (deps: ServiceDeps) => {
  const { log, workspaceId, mint, documents, clocks, adapters, mortally } = deps
  const { live } = documents
  const vault = new OpenVault()
  const engine = createEngine({ log, vault, read: live, upcast, newEventId: randomUUID })
  const reacting = mortally<Engine>(engine, ['transact'])
  const ids = { next: mint, refill: async () => undefined }
  const now = () => clocks.workspace
  const notes = new TimerNotes()
  const seen = () => documents.follow()
  const reactions: readonly Reaction[] = [
    policyReaction({
      policies: family.policies ?? [],
      aggregates: new Map(aggregates.map((one) => [one.name, one])),
      engine: reacting,
      ids,
      readers: { live, vault },
      perform: performer({ engine: reacting, ids, onWritten: () => undefined }),
      seen,
      room: createSemaphore(8),
    }),
    timerReaction({ resources, engine: reacting, log, live, now, seen, notes }),
    ...processReactions({ adapters, engine: reacting, log, ids, now }, [charges, refunds]),
  ]
  return {
    engine,
    reactions,
    async ask({ aggregate, id, type, wanted = {}, child, childId, ids: given }: Wanted) {
      const target = child === undefined ? { id } : { child, id: childId ?? mint() }
      const at = new Date(now()).toISOString()
      return engine.transact({
        aggregate,
        id,
        command: { type, wanted, workspaceId, ...target, ...(given && { ids: given }), at, actor: { label: 'client' } },
        workspaceId,
        isNew: ['create', 'sell'].includes(type) && child === undefined,
        causationId: randomUUID(),
        correlationId: 'c',
      })
    },
    /** Returns the newest events of the records that have a timer which is due and may fire. */
    async dueRecords(): Promise<readonly RecordedEvent[]> {
      const events: RecordedEvent[] = []
      for (const resource of timed)
        for (const document of await dueBy(live, resource, workspaceId, now(), 100)) {
          if (notes.stuckAt.get(keyOf(resource, document)) === document.rev) continue
          const event = await newestEventOf(log, resource, document)
          if (event) events.push(event)
        }
      return events
    },
    /** Returns when a timer is due next, after now; infinite when none is. */
    nextDue: () => nextDue(live, timed, workspaceId, now()),
    stuckTimers: () => [...notes.stuckAt.keys()],
  }
}

export type Service = ReturnType<typeof startService>

/** Tells whether a command was carried out. */
export const isDone = (result: Awaited<ReturnType<Service['ask']>>): boolean =>
  !(result instanceof Refusal) && 'events' in result && result.events.length > 0
