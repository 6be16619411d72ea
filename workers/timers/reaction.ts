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
import { dueAt, keyOf } from './due.ts'

/** Under which name the reactor knows it. */
export const TIMERS = 'timers'

/** Timers of a workspace that fire at once. */
const WIDTH = 64
const TRIES = 10

/** Told of what became of a record whose timers were looked at. */
export interface TimerNotes {
  /** It is due next at this time of its workspace's clock; infinite: never. */
  settled(resource: Resource, id: number, workspaceId: number | undefined, due: number): void
  /** It is due and stays so, and nothing will come of trying until it changes from this revision on. */
  stuck(resource: Resource, id: number, revision: number): void
}

export interface TimerDeps {
  readonly resources: Iterable<Resource>
  readonly engine: Engine
  readonly log: EventLog
  readonly live: ReadModels
  /** Milliseconds since 1970, by the clock of a workspace. */
  readonly now: (workspaceId?: number) => number
  /** Waits until documents are as they were behind a position, or later. */
  readonly seen: (at: Pick<RecordedEvent, 'position'>) => Promise<void>
  readonly notes: TimerNotes
}

/** A record whose timers are looked at. */
interface Subject {
  readonly resource: Resource
  readonly id: number
  readonly streamId: number
}

const workspaceOf = ({ workspace_id: id }: Document): number | undefined => (typeof id === 'number' ? id : undefined)

const identityOf = ({ name, due }: DueTimer): string => `${name} at ${due}`

/** Asks of a record what its timer says. @returns the position behind it, or why not */
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
  const cause = `timer:${resource.name}:${id}:${timer.name}:${timer.due}`
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
    // What was fired is fired once, whoever comes to it again: after a restart, a take-over, a rebuild.
    eventIds: (index) => derivedId('timer', resource.name, id, timer.name, timer.due, index),
  })
  const refused = result instanceof Refusal ? result.message : undefined
  // What changed nothing may have been decided on more than the documents show as yet.
  const isNothing = result instanceof Refusal || result.position < 0
  return { position: isNothing ? await log.lastPosition() : result.position, refused }
}

/** Fires what is due of a record until nothing is. @returns why what is due still is, if it is */
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

/** The resources with timers, by the aggregate whose streams their records are in. */
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
 * Asks of records what their timers say, by what is due when it looks: of a record that has just changed, and of one that was found
 * to be due (design 7).
 */
export const timerReaction = (deps: TimerDeps): Reaction => {
  const byAggregate = timedBy(deps.resources)
  const aggregates = [...byAggregate.values()].flatMap(([first]) => first?.aggregate ?? [])
  return inStreams({
    name: TIMERS,
    on: [...new Set(aggregates.flatMap(({ events }) => Object.keys(events)))].map((type) => ({ type })),
    group: ({ metadata }) => `${TIMERS}:${metadata.workspace_id ?? 0}`,
    width: WIDTH,
    maxAttempts: TRIES,
    async react(event, turn): Promise<Outcome> {
      const { name, id: streamId } = parseStream(event.stream)
      await deps.seen(event)
      const reasons: string[] = []
      for (const resource of byAggregate.get(name) ?? []) {
        for (const id of resource.documents.fold.touched(event, streamId)) {
          const came = await fireAll(deps, { resource, id, streamId }, turn).catch((error: unknown) => {
            // It is the reactor's now, which tries it again.
            deps.notes.stuck(resource, id, event.revision)
            throw error
          })
          if (came === 'stopped') return STOPPED
          reasons.push(...came)
        }
      }
      return reasons.length > 0 ? { came: 'refused', reasons } : DONE
    },
  })
}
