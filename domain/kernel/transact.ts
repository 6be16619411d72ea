import { LRUCache } from 'lru-cache'
import {
  type Actor,
  type Aggregate,
  type ClaimWanted,
  type Command,
  type Decision,
  type FactReader,
  stateAfter,
  streamOf,
} from './decider.ts'
import type { DomainEvent, FollowUpsKept, JsonObject, Metadata, NewEvent, RecordedEvent } from './event.ts'
import { countersIn, numbered } from './numbers.ts'
import { openEvent, sealEvent } from './personal.ts'
import type { Append, Appended, Claim, ClaimTaken, EventLog } from './ports/event-log.ts'
import type { Vault } from './ports/vault.ts'
import { queues } from './queues.ts'
import { Refusal, refuse } from './refusal.ts'
import type { Upcaster } from './upcast.ts'

/** What a command is carried out with. */
export interface Transaction<C extends Command> {
  readonly aggregate: Aggregate
  readonly id: number
  readonly command: C
  readonly teamId?: number
  readonly workspaceId?: number
  /** What the command follows from: a request id or the id of an event. */
  readonly causationId: string
  readonly correlationId: string
  /** The caller knows that the stream is new: nothing is read before the decision. */
  readonly isNew?: boolean
  /** Only carry it out when the entity's last change is this revision of the stream. */
  readonly ifRevision?: { readonly entity: number; readonly revision: number }
  /** Taken together with the events, whatever they are: what makes a request repeatable. */
  readonly alsoTake?: ClaimTaken
  /** Derives event ids from the cause, so that a repeat appends nothing; without it ids are random. */
  readonly eventIds?: (index: number) => string
  /** What the request does in other streams afterwards: kept with the last event, so that it is done even after a crash. */
  readonly followUps?: FollowUpsKept
}

/** What came of a command. */
export interface Outcome {
  /** Revision of the stream after the command, and position in the log up to which the read models must get. */
  readonly revision: number
  readonly position: number
  /** What happened, with personal data in the clear; empty when the state already said so. */
  readonly events: readonly DomainEvent[]
}

/** The claim given as `alsoTake` was held already: the same request was carried out before. */
export interface Repeated {
  readonly repeatOf: Claim
  /** A position in the log behind the first time. */
  readonly position: number
}

export interface Engine {
  /** Loads, decides and appends; decides again on fresh state when somebody else was faster, a bounded number of times. */
  transact<C extends Command>(transaction: Transaction<C>): Promise<Outcome | Repeated | Refusal>
  /** What would happen now, or why not: loads and decides, and appends nothing. */
  rehearse<C extends Command>(transaction: Transaction<C>): Promise<Decision>
  /** Drops what is kept in memory, opened personal data with it. */
  forget(): void
  /** Name under which a claim is kept in the log. */
  claimKey(claim: Pick<ClaimWanted, 'scope' | 'value' | 'personal'>): string
}

interface Loaded {
  readonly state: unknown
  readonly revision: number
  /** About what it takes of the memory, in bytes. */
  readonly size: number
  /** Revision at which each entity of the stream last changed. */
  readonly touched: ReadonlyMap<number, number>
}

const ATTEMPTS = 8
const NEW: Omit<Loaded, 'state'> = { revision: -1, size: 500, touched: new Map() }
const CACHE_BYTES = 64 * 1024 * 1024

interface Parts {
  readonly log: EventLog
  readonly vault: Vault
  readonly read: FactReader
  readonly upcast: Upcaster
  readonly newEventId: () => string
  /** Entities of a stream that an event changes, for conditional writes. */
  readonly touches: (aggregate: Aggregate, event: DomainEvent, id: number) => readonly number[]
  /** Memory that folded streams may take, in bytes; default 64 MiB. */
  readonly cacheBytes?: number
}

/** The engine over a log: the only place that appends events of aggregates. */
export const createEngine = ({
  log,
  vault,
  read,
  upcast,
  newEventId,
  touches,
  cacheBytes = CACHE_BYTES,
}: Parts): Engine => {
  const cache = new LRUCache<string, Loaded>({ maxSize: cacheBytes, sizeCalculation: ({ size }) => size })
  const inTurn = queues()

  const claimKey: Engine['claimKey'] = ({ scope, value, personal }) =>
    `${scope}:${personal ? vault.token(scope, value) : value}`

  const follow = (
    aggregate: Aggregate,
    id: number,
    from: Loaded,
    events: readonly (DomainEvent & { metadata: Metadata })[],
  ): Loaded => {
    if (events.length === 0) return from
    const stream = streamOf(aggregate, id)
    const touched = new Map(from.touched)
    const placed = events.map((event, index) => ({ ...event, stream, revision: from.revision + 1 + index }))
    for (const event of placed) for (const entity of touches(aggregate, event, id)) touched.set(entity, event.revision)
    const size = events.reduce((sum, { data }) => sum + sizeOf(data), from.size)
    return { state: stateAfter(aggregate, from.state, placed), revision: from.revision + events.length, size, touched }
  }

  const load = async (aggregate: Aggregate, id: number): Promise<Loaded> => {
    const stream = streamOf(aggregate, id)
    const known = cache.get(stream) ?? { ...NEW, state: aggregate.initial }
    const events: RecordedEvent[] = []
    for await (const event of log.readStream(stream, { from: known.revision + 1 })) {
      events.push(upcast(await openEvent(vault, event)))
    }
    return follow(aggregate, id, known, events)
  }

  const claimsOf = (aggregate: Aggregate, state: unknown) =>
    new Map((aggregate.claims?.(state) ?? []).map((claim) => [claimKey(claim), claim]))

  const decideOn = async <C extends Command>(transaction: Transaction<C>, fresh: boolean) => {
    const { aggregate, id, command } = transaction
    const before = transaction.isNew && fresh ? { ...NEW, state: aggregate.initial } : await load(aggregate, id)
    const condition = transaction.ifRevision
    if (condition && before.touched.get(condition.entity) !== condition.revision) {
      const decision = refuse.preconditionFailed('The record has changed since the revision given in If-Match')
      return { before, decision }
    }
    const facts = aggregate.facts ? await aggregate.facts(command, read, before.state) : undefined
    return { before, decision: aggregate.decide(before.state, command, facts) }
  }

  const attempt = async <C extends Command>(transaction: Transaction<C>, fresh: boolean) => {
    const { aggregate, id } = transaction
    const { before, decision } = await decideOn(transaction, fresh)
    // A claim that the stream holds itself is no conflict to the log: the same request has been here before.
    const repeatOf = transaction.alsoTake && before.revision >= 0 && (await log.claimed(transaction.alsoTake.key))
    if (repeatOf) return { repeatOf, position: await log.lastPosition() }
    if (decision instanceof Refusal) return decision
    if (decision.length === 0 && !transaction.alsoTake) {
      return { revision: before.revision, position: -1, events: [] } satisfies Outcome
    }
    const events = decision.map((event, index) => {
      const of = aggregate.person?.(before.state, event, id, decision)
      return envelope(transaction, event, index, decision.length, newEventId, of)
    })
    const after = follow(aggregate, id, before, events)
    const held = claimsOf(aggregate, before.state)
    const wanted = claimsOf(aggregate, after.state)
    const take = [...wanted.keys()].filter((key) => !held.has(key)).map((key): ClaimTaken => ({ key }))
    const request: Append = {
      stream: streamOf(aggregate, id),
      expected: before.revision,
      events: await Promise.all(events.map((event) => sealEvent(vault, event.metadata.of ?? id, event))),
      // First, so that a repeated request is told from a clash with another record.
      take: transaction.alsoTake ? [transaction.alsoTake, ...take] : take,
      release: [...held.keys()].filter((key) => !wanted.has(key)),
      repeatable: transaction.eventIds !== undefined,
      numbers: countersIn(events),
    }
    const appended = await log.append(request)
    const numbers = appended.ok ? appended.numbers : undefined
    if (appended.ok && !appended.repeated) {
      cache.set(request.stream, numbers ? follow(aggregate, id, before, numbered(events, numbers)) : after)
    }
    const result = settle(appended, transaction, wanted, numbered(events, numbers))
    return result !== 'again' && 'repeatOf' in result ? { ...result, position: await log.lastPosition() } : result
  }

  const settleOn: Engine['transact'] = async (transaction) => {
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      const result = await attempt(transaction, tries === 0)
      if (result !== 'again') return result
    }
    return refuse.conflict('The record is being changed by too many requests at once; try again')
  }

  return {
    claimKey,
    rehearse: async (transaction) => (await decideOn(transaction, true)).decision,
    forget: () => cache.clear(),
    // Writers of one stream take turns, so that only those of other processes can be faster.
    transact: (transaction) =>
      transaction.isNew
        ? settleOn(transaction)
        : inTurn(streamOf(transaction.aggregate, transaction.id), () => settleOn(transaction)),
  }
}

/** About what data take in memory: twice their text, and something for each value. */
const sizeOf = (data: JsonObject): number => 200 + 2 * JSON.stringify(data).length

const envelope = <C extends Command>(
  transaction: Transaction<C>,
  event: DomainEvent,
  index: number,
  count: number,
  newEventId: () => string,
  of: number | undefined,
): NewEvent => {
  const { command, aggregate, teamId, workspaceId, followUps } = transaction
  const version = (aggregate.events[event.type]?.length ?? 0) + 1
  return {
    id: transaction.eventIds?.(index) ?? newEventId(),
    type: event.type,
    data: event.data,
    metadata: {
      at: command.at,
      actor: command.actor.label,
      $correlationId: transaction.correlationId,
      $causationId: transaction.causationId,
      ...(teamId !== undefined && { team_id: teamId }),
      ...(workspaceId !== undefined && { workspace_id: workspaceId }),
      ...(of !== undefined && { of }),
      ...(version > 1 && { v: version }),
      ...(followUps && index === count - 1 && { follow_ups: followUps }),
    },
  }
}

const settle = <C extends Command>(
  appended: Appended,
  transaction: Transaction<C>,
  wanted: ReadonlyMap<string, ClaimWanted>,
  events: readonly DomainEvent[],
): Outcome | Omit<Repeated, 'position'> | Refusal | 'again' => {
  if (appended.ok) return { revision: appended.revision, position: appended.position, events }
  if (appended.conflict === 'revision') return 'again'
  const { claim } = appended
  if (claim.key === transaction.alsoTake?.key) return { repeatOf: claim }
  const loser = wanted.get(claim.key)
  if (!loser) return 'again'
  return refuse.invalid(loser.says, loser.field, 'taken')
}

/** The actor of a worker's commands. */
export const workerActor = (name: string): Actor => ({ label: `worker:${name}` })
