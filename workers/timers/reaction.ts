import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { DueTimer } from '../../domain/kernel/model/due.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { Resource } from '../../domain/resources/resource.ts'
import { derivedId } from '../derived-id.ts'
import { type BatchTurn, DONE, inStreams, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { causeOfTimer } from './cause.ts'
import { dueAt, keyOf } from './due.ts'

/** Name of the reaction. */
export const TIMERS = 'timers'

/** Timers of a workspace that fire at once. */
const GROUP_LIMIT = 64
const TRIES = 10

/** Receives the result of checking the timers of a record. */
export interface TimerNotes {
  /** The record is next due at this time of its workspace's clock; infinite: never. */
  settled(resource: Resource, id: number, workspaceId: number | undefined, due: number): void
  /** The record stays due. Trying again is useless until it changes from this revision. */
  stuck(resource: Resource, id: number, revision: number): void
}

export interface TimerDeps {
  readonly resources: Iterable<Resource>
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  /** Milliseconds since 1970, by the clock of a workspace. */
  readonly now: (workspaceId?: number) => number
  /** Waits until the documents are at least as new as a position. */
  readonly seen: (at: Pick<RecordedEvent, 'position'>) => Promise<void>
  readonly notes: TimerNotes
}

/** A record whose timers are checked. */
interface Subject {
  readonly resource: Resource
  readonly id: number
  readonly streamId: number
}

const workspaceOf = ({ workspace_id: id }: Document): number | undefined => (typeof id === 'number' ? id : undefined)

const identityOf = ({ name, due }: DueTimer): string => `${name} at ${due}`

/** Sends the act of a timer to its record. @returns the position of the result, and why it was refused, if it was */
const fire = async (
  deps: TimerDeps,
  { resource, id, streamId }: Subject,
  document: Document,
  timer: DueTimer & { readonly act: string },
) => {
  const { engine, log, now } = deps
  const { team_id: teamId } = document
  const workspaceId = workspaceOf(document)
  const role = resource.timers?.role
  const cause = causeOfTimer(resource.name, id, timer)
  const result = await engine.transact({
    aggregate: resource.aggregate,
    id: streamId,
    command: {
      type: timer.act,
      wanted: {},
      id,
      ...(role !== undefined && { child: role }),
      ...(workspaceId !== undefined && { workspaceId }),
      at: new Date(now(workspaceId)).toISOString(),
      actor: workerActor(TIMERS),
    },
    ...(typeof teamId === 'number' && { teamId }),
    ...(workspaceId !== undefined && { workspaceId }),
    causationId: cause,
    correlationId: cause,
    // Derived ids let a timer fire once, even if it is tried again after a restart, a takeover or a rebuild.
    eventIds: (index) => derivedId('timer', resource.name, id, timer.name, timer.due, index),
  })
  const refused = result instanceof Refusal ? result.message : undefined
  // A decision without events may rest on events that the documents do not show yet.
  const isNothing = result instanceof Refusal || result.position < 0
  return { position: isNothing ? await log.lastPosition() : result.position, refused }
}

/** Fires timers of a record until none is due. @returns why timers are still due, if any are */
const fireAll = async (deps: TimerDeps, subject: Subject, turn: BatchTurn): Promise<readonly string[] | 'stopped'> => {
  const { live, now, seen, notes } = deps
  const { resource, id } = subject
  const tried = new Map<string, string>()
  for (;;) {
    const document = await live.get(resource.name, id)
    const workspaceId = document && workspaceOf(document)
    if (!document) {
      notes.settled(resource, id, workspaceId, Number.POSITIVE_INFINITY)
      return []
    }
    const time = new Date(now(workspaceId)).toISOString()
    const due = (resource.timers?.of(document) ?? []).filter((timer) => timer.due <= time)
    const next = due.find((timer) => !tried.has(identityOf(timer)))
    if (!next && due.length > 0) {
      notes.stuck(resource, id, Number(document.rev))
      return due.map((timer) => `${keyOf(resource, document)}: ${timer.name}: ${tried.get(identityOf(timer))}`)
    }
    if (!next) {
      notes.settled(resource, id, workspaceId, dueAt(document))
      return []
    }
    if (turn.stopping()) return 'stopped'
    const { position, refused = 'it is due still' } = await fire(deps, subject, document, next)
    tried.set(identityOf(next), refused)
    await seen({ position })
  }
}

/** Groups the resources with timers by the aggregate whose streams hold their records. */
const timedBy = (resources: Iterable<Resource>): ReadonlyMap<string, readonly Resource[]> => {
  const byAggregate = new Map<string, Resource[]>()
  for (const resource of resources) {
    if (!resource.timers) continue
    const { name } = resource.aggregate
    byAggregate.set(name, [...(byAggregate.get(name) ?? []), resource])
  }
  return byAggregate
}

/**
 * Returns the reaction that fires the timers of a record that are due when it runs. It reacts to a record that has just
 * changed, and to one that the schedule found to be due.
 */
export const timerReaction = (deps: TimerDeps): Reaction => {
  const byAggregate = timedBy(deps.resources)
  const moving = [...byAggregate.values()].flat().flatMap(({ timers }) => timers?.movedBy ?? [])
  return inStreams({
    name: TIMERS,
    on: [...new Set(moving)].map((type) => ({ type })),
    group: ({ metadata }) => `${TIMERS}:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    maxAttempts: TRIES,
    async react(event, turn): Promise<Outcome> {
      const { name, id: streamId } = parseStream(event.stream)
      await deps.seen(event)
      const reasons: string[] = []
      for (const resource of byAggregate.get(name) ?? []) {
        for (const id of resource.documents.fold.touched(event, streamId)) {
          const result = await fireAll(deps, { resource, id, streamId }, turn).catch((error: unknown) => {
            // From here on the reactor retries it.
            deps.notes.stuck(resource, id, event.revision)
            throw error
          })
          if (result === 'stopped') return STOPPED
          reasons.push(...result)
        }
      }
      return reasons.length > 0 ? { came: 'refused', reasons } : DONE
    },
  })
}
