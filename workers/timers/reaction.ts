import { desk } from '../../domain/kernel/engine/desk.ts'
import type { Engine } from '../../domain/kernel/engine/engine.ts'
import { workerActor } from '../../domain/kernel/engine/transaction.ts'
import type { DueTimer } from '../../domain/kernel/model/due.ts'
import type { EventLog } from '../../domain/kernel/ports/event-log.ts'
import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { Resource, Timers } from '../../domain/resources/resource.ts'
import { derivedId } from '../derived-id.ts'
import { type BatchTurn, DONE, inStreams, type Outcome, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { causeOfTimer } from './cause.ts'
import { dueAt, keyOf } from './due.ts'

/** Name of the reaction. */
export const TIMERS = 'timers'

/** Timers of a workspace that fire at once. */
const GROUP_LIMIT = 64
const TRIES = 10
/** Time after which a timer that is due counts as late: nothing ran when it was. */
const LATE_MS = 60_000
const NEVER = Number.POSITIVE_INFINITY

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
  const command = { type: timer.act, wanted: {}, id, ...(role !== undefined && { child: role }) }
  const result = await desk({ engine })(
    {
      ...{ actor: workerActor(TIMERS), at: new Date(now(workspaceId)).toISOString(), cause, workspaceId },
      ...(typeof teamId === 'number' && { teamId }),
    },
    { aggregate: resource.aggregate, id: streamId, command },
    // Derived ids let a timer fire once, even if it is tried again after a restart, a takeover or a rebuild.
    { ids: (index) => derivedId('timer', resource.name, id, timer.name, timer.due, index) },
  )
  const refused = result instanceof Refusal ? result.message : undefined
  // A decision without events may rest on events that the documents do not show yet.
  const isNothing = result instanceof Refusal || result.position < 0
  return { position: isNothing ? await log.lastPosition() : result.position, refused }
}

/** A timer of a record that is due, and the time of its workspace's clock. */
interface Due {
  readonly subject: Subject
  readonly document: Document
  readonly timer: ReturnType<Timers['of']>[number]
  readonly key: string
  readonly isLate: boolean
}

interface Present {
  readonly subject: Subject
  readonly document: Document | undefined
}

const presentOf = ({ live }: TimerDeps, subjects: readonly Subject[]): Promise<readonly Present[]> =>
  Promise.all(
    subjects.map(async (subject) => ({ subject, document: await live.get(subject.resource.name, subject.id) })),
  )

/** Returns all records with timers of a stream. */
const wholeStream = async (
  { live }: TimerDeps,
  resources: readonly Resource[],
  streamId: number,
): Promise<readonly Subject[]> => {
  const found = resources.map(async (resource) => {
    const { owner } = resource.timers ?? {}
    const documents = owner === undefined ? [] : await live.find(resource.name, { where: { [owner]: streamId } })
    const ids = owner === undefined ? [streamId] : documents.map(({ id }) => Number(id))
    return ids.map((id): Subject => ({ resource, id, streamId }))
  })
  return (await Promise.all(found)).flat()
}

/** At the same instant those of children come first: what ends there decides whether its parent goes on. */
const depthOf = ({ subject: { resource } }: Due): number => (resource.timers?.role === undefined ? 0 : 1)

/** Returns the timers of records that are due, in the order in which they fell due. */
const dueAmong = ({ now }: TimerDeps, present: readonly Present[]): readonly Due[] =>
  present
    .flatMap(({ subject, document }) => {
      if (!document) return []
      const time = now(workspaceOf(document))
      const [iso, late] = [time, time - LATE_MS].map((at) => new Date(at).toISOString()) as [string, string]
      return (subject.resource.timers?.of(document) ?? [])
        .filter(({ due }) => due <= iso)
        .map((timer): Due => {
          const key = `${keyOf(subject.resource, document)}: ${identityOf(timer)}`
          return { subject, document, timer, key, isLate: timer.due < late }
        })
    })
    .sort((a, b) => (a.timer.due < b.timer.due ? -1 : a.timer.due > b.timer.due ? 1 : depthOf(b) - depthOf(a)))

const isBusy = ({ subject, document }: Present): boolean =>
  document !== undefined && subject.resource.timers?.isUnderWay?.(document) === true

/** Tells the schedule what has become of records. @returns why timers are still due, if any are */
const note = (
  { notes }: TimerDeps,
  present: readonly Present[],
  due: readonly Due[],
  tried: ReadonlyMap<string, string>,
): readonly string[] =>
  present.flatMap(({ subject: { resource, id }, document }) => {
    const own = due.filter(({ subject }) => subject.resource === resource && subject.id === id)
    if (own.length > 0) notes.stuck(resource, id, Number(document?.rev))
    else notes.settled(resource, id, document && workspaceOf(document), document ? dueAt(document) : NEVER)
    return own.flatMap(({ key, document: one, timer }) => {
      const reason = tried.get(key)
      return reason === undefined ? [] : `${keyOf(resource, one)}: ${timer.name}: ${reason}`
    })
  })

interface Firing {
  /** All resources with timers whose records are in the stream. */
  readonly resources: readonly Resource[]
  readonly touched: readonly Subject[]
  /** Streams with late timers that wait for something under way. */
  readonly held: Set<string>
}

/**
 * Fires timers of records until none is due. In streams whose records have something under way, all that is due is fired in the order in which it
 * fell due. What is late waits there until what an earlier timer began is over: what was due while nothing ran is done as it would have been.
 */
const fireAll = async (
  deps: TimerDeps,
  { stream }: RecordedEvent,
  { resources, touched, held }: Firing,
  turn: BatchTurn,
): Promise<Outcome> => {
  const tried = new Map<string, string>()
  const isOrdered = resources.some(({ timers }) => timers?.isUnderWay)
  let isWhole = held.has(stream)
  for (;;) {
    const subjects = isWhole ? await wholeStream(deps, resources, parseStream(stream).id) : touched
    const present = await presentOf(deps, subjects)
    const due = dueAmong(deps, present)
    if (isOrdered && !isWhole && due.length > 0) {
      isWhole = true
      continue
    }
    const next = due.find(({ key }) => !tried.has(key))
    if (next && turn.stopping()) return STOPPED
    const isHeld = next?.isLate === true && present.some(isBusy)
    if (!next || isHeld) {
      const reasons = note(deps, present, due, tried)
      if (isHeld) held.add(stream)
      else held.delete(stream)
      return reasons.length > 0 ? { came: 'refused', reasons } : DONE
    }
    const { position, refused = 'it is due still' } = await fire(deps, next.subject, next.document, next.timer)
    tried.set(next.key, refused)
    await deps.seen({ position })
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
  const held = new Set<string>()
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
      const resources = byAggregate.get(name) ?? []
      const touched = resources.flatMap((resource) =>
        resource.documents.fold.touched(event, streamId).map((id): Subject => ({ resource, id, streamId })),
      )
      return fireAll(deps, event, { resources, touched, held }, turn).catch((error: unknown) => {
        // From here on the reactor retries it.
        for (const { resource, id } of touched) deps.notes.stuck(resource, id, event.revision)
        throw error
      })
    },
  })
}
