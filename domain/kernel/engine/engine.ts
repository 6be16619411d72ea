import { LRUCache } from 'lru-cache'
import type { Decision, FactReader } from '../decide/command.ts'
import type { Decider } from '../decide/decider.ts'
import type { RecordCommand, StreamRecords } from '../decide/rules.ts'
import { RecordsOfStream, type StreamState } from '../decide/stream-state.ts'
import type { Upcaster } from '../decide/upcast.ts'
import type { ClaimWanted } from '../model/claim.ts'
import { openEvent, sealEvent } from '../model/personal.ts'
import type { Append, Appended, Claim, ClaimTaken, EventLog } from '../ports/event-log.ts'
import type { Vault } from '../ports/vault.ts'
import type { DomainEvent, Json, Metadata, NewEvent, RecordedEvent } from '../values/event.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import { countersIn, numbered } from '../values/sequence-numbers.ts'
import { streamOf } from '../values/stream-name.ts'
import { keyedQueues } from './keyed-queues.ts'
import { enveloped, type Outcome, type Repeated, type Transaction } from './transaction.ts'

export interface Engine {
  /** Loads, decides and appends; decides again on fresh state when another process was faster, a bounded number of times. */
  transact(transaction: Transaction): Promise<Outcome | Repeated | Refusal>
  /** What would happen now, or why not: loads and decides, and appends nothing. */
  dryRun(transaction: Transaction): Promise<Decision>
  /** The records of a stream as they now are; by whoever has heard of a revision of it that its writer may not know yet to be written. */
  records(aggregate: Decider, id: number, revision: number): Promise<StreamRecords>
  /** Drops what is kept in memory, opened personal data with it. */
  clearCache(): void
  /** Name under which a claim is kept in the log. */
  claimKey(claim: Pick<ClaimWanted, 'scope' | 'value' | 'personal'>): string
}

interface Loaded {
  readonly state: StreamState
  readonly revision: number
  /** About what it takes of the memory, in bytes. */
  readonly size: number
}

const ATTEMPTS = 8
const CACHE_BYTES = 64 * 1024 * 1024
const NEW_SIZE = 500

interface EngineDeps {
  readonly log: EventLog
  readonly vault: Vault
  readonly read: FactReader
  readonly upcast: Upcaster
  readonly newEventId: () => string
  /** Memory that folded streams may take, in bytes; default 64 MiB. */
  readonly cacheBytes?: number
  /** Whether nobody else appends to the log: what is in memory is then as new as the log. */
  readonly alone?: boolean
}

/** Its command, which is in the workspace of the transaction where it names none. */
const inWorkspace = ({ command, workspaceId }: Transaction): RecordCommand =>
  workspaceId === undefined || command.workspaceId !== undefined ? command : { ...command, workspaceId }

/** The engine over a log: the only place that appends events of aggregates. */
export const createEngine = ({
  log,
  vault,
  read,
  upcast,
  newEventId,
  cacheBytes = CACHE_BYTES,
  alone = false,
}: EngineDeps): Engine => {
  const cache = new LRUCache<string, Loaded>({ maxSize: cacheBytes, sizeCalculation: ({ size }) => size })
  const inTurn = keyedQueues()

  const claimKey: Engine['claimKey'] = ({ scope, value, personal }) =>
    `${scope}:${personal ? vault.token(scope, value) : value}`

  const follow = (aggregate: Decider, id: number, from: Loaded, events: readonly Unplaced[]): Loaded => {
    if (events.length === 0) return from
    const stream = streamOf(aggregate, id)
    const placed = events.map(({ type, data, metadata }, index) => ({
      type,
      data,
      metadata,
      stream,
      revision: from.revision + 1 + index,
    }))
    const size = events.reduce((sum, { data }) => sum + 200 + sizeOf(data), from.size)
    return { state: aggregate.fold(from.state, placed), revision: from.revision + events.length, size }
  }

  const load = async (aggregate: Decider, id: number, least = -1): Promise<Loaded> => {
    const stream = streamOf(aggregate, id)
    const kept = cache.get(stream)
    if (kept && alone && kept.revision >= least) return kept
    const known = kept ?? newStream(aggregate)
    const events: RecordedEvent[] = []
    for await (const event of log.readStream(stream, { from: known.revision + 1 })) {
      events.push(upcast(await openEvent(vault, event)))
    }
    return follow(aggregate, id, known, events)
  }

  /** By their plain values: a digest is made of those alone that are new or gone. */
  const claimsOf = (aggregate: Decider, state: StreamState) =>
    new Map(aggregate.claims(state).map((claim) => [`${claim.scope}:${claim.value}`, claim]))

  const decideOn = async (transaction: Transaction, fresh: boolean) => {
    const { aggregate, id, ifRevision } = transaction
    const command = inWorkspace(transaction)
    const before = transaction.isNew && fresh ? newStream(aggregate) : await load(aggregate, id)
    if (ifRevision && before.state.documents[ifRevision.model]?.get(ifRevision.id)?.rev !== ifRevision.revision) {
      const decision = refuse.preconditionFailed('The record has changed since the revision given in If-Match')
      return { before, decision }
    }
    const facts = aggregate.facts ? await aggregate.facts(command, read, before.state) : undefined
    return { before, decision: known(aggregate, aggregate.decide(before.state, command, facts)) }
  }

  /** Keeps that a command is refused, unless it was carried out meanwhile. */
  const forgo = async ({ aggregate, id }: Transaction, take: readonly ClaimTaken[], expected: number) => {
    const stream = streamOf(aggregate, id)
    const appended = await log.append({ stream, expected, events: [], take })
    if (appended.ok) return undefined
    cache.delete(stream)
    if (appended.conflict === 'revision') return 'again'
    return { repeatOf: decided(appended.claim), position: await log.lastPosition() }
  }

  const attempt = async (transaction: Transaction, fresh: boolean) => {
    const { aggregate, id, once } = transaction
    const { before, decision } = await decideOn(transaction, fresh)
    // A claim that the stream holds itself is no conflict to the log: the same request has been here before.
    const repeatOf = once && before.revision >= 0 && (await log.claimed(once.key))
    if (repeatOf) return { repeatOf: decided(repeatOf), position: await log.lastPosition() }
    if (decision instanceof Refusal)
      return (
        (transaction.claimOnRefusal && (await forgo(transaction, transaction.claimOnRefusal, before.revision))) ??
        decision
      )
    if (decision.length === 0 && !once) {
      return { revision: before.revision, position: -1, events: [] } satisfies Outcome
    }
    const events = decision.map((event, index): NewEvent => {
      const of = aggregate.person?.(before.state, event, id, decision)
      return enveloped(transaction, event, { index, count: decision.length, of }, newEventId)
    })
    const after = follow(aggregate, id, before, events)
    const held = claimsOf(aggregate, before.state)
    const wanted = claimsOf(aggregate, after.state)
    const release = new Set([...held].filter(([plain]) => !wanted.has(plain)).map(([, claim]) => claimKey(claim)))
    const added = [...wanted]
      .filter(([plain]) => !held.has(plain))
      .map(([, claim]) => [claimKey(claim), claim] as const)
    // What is only spelled otherwise than before stays as it is.
    const taken = new Map(added.filter(([key]) => !release.delete(key)))
    const take = [...taken.keys()].map((key): ClaimTaken => ({ key }))
    const request: Append = {
      stream: streamOf(aggregate, id),
      expected: before.revision,
      events: await Promise.all(events.map((event) => sealEvent(vault, event.metadata.of ?? id, event))),
      // First, so that a repeated request is told from a clash with another record.
      take: once ? [once, ...take] : take,
      release: [...release],
      repeatable: transaction.eventIds !== undefined,
      numbers: countersIn(events),
    }
    const appended = await log.append(request).catch((error: unknown) => {
      // What became of it is not known.
      cache.delete(request.stream)
      throw error
    })
    if (!appended.ok) cache.delete(request.stream)
    const numbers = appended.ok ? appended.numbers : undefined
    const told = numbered(events, numbers)
    if (appended.ok && !appended.repeated) {
      cache.set(request.stream, numbers ? follow(aggregate, id, before, told) : after)
    }
    const result = settle(appended, transaction, taken, told)
    return result !== 'again' && 'repeatOf' in result ? { ...result, position: await log.lastPosition() } : result
  }

  const attempts: Engine['transact'] = async (transaction) => {
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      const result = await attempt(transaction, tries === 0)
      if (result !== 'again') return result
    }
    return refuse.conflict('The record is being changed by too many requests at once; try again')
  }

  return {
    claimKey,
    records: async (aggregate, id, revision) => new RecordsOfStream((await load(aggregate, id, revision)).state),
    dryRun: async (transaction) => (await decideOn(transaction, true)).decision,
    clearCache: () => cache.clear(),
    // Writers of one stream take turns, so that only those of other processes can be faster.
    transact: (transaction) =>
      transaction.isNew
        ? attempts(transaction)
        : inTurn(streamOf(transaction.aggregate, transaction.id), () => attempts(transaction)),
  }
}

type Unplaced = DomainEvent & { readonly metadata: Metadata }

/** @throws {Error} for an event that the aggregate has not: once it stood in the log, nothing could be folded any more */
const known = ({ name, events }: Decider, decision: Decision): Decision => {
  if (decision instanceof Refusal) return decision
  const unknown = decision.find(({ type }) => !Object.hasOwn(events, type))
  if (unknown) throw new Error(`${name} has no event ${unknown.type}`)
  return decision
}

const newStream = ({ initial }: Decider): Loaded => ({ state: initial, revision: -1, size: NEW_SIZE })

/** About what a value takes in memory, in bytes. */
const sizeOf = (value: Json | undefined): number => {
  if (typeof value === 'string') return 24 + 2 * value.length
  if (typeof value !== 'object' || value === null) return 8
  let size = 64
  for (const inner of Object.values(value)) size += sizeOf(inner)
  return size
}

/** @throws {Refusal} unavailable, for a claim of which nobody can say yet whether it was taken */
const decided = (claim: Claim): Claim => {
  if (claim.undecided) throw refuse.unavailable('a change that this one depends on is being decided; try again')
  return claim
}

const settle = (
  appended: Appended,
  { once }: Transaction,
  taken: ReadonlyMap<string, ClaimWanted>,
  events: readonly DomainEvent[],
): Outcome | Omit<Repeated, 'position'> | Refusal | 'again' => {
  if (appended.ok) return { revision: appended.revision, position: appended.position, events }
  if (appended.conflict === 'revision') return 'again'
  const claim = decided(appended.claim)
  if (claim.key === once?.key) return { repeatOf: claim }
  const loser = taken.get(claim.key)
  return loser ? refuse.invalid(loser.says, loser.field, 'taken') : 'again'
}
