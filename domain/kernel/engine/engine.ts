import type { Decision } from '../decide/command.ts'
import type { Decider } from '../decide/decider.ts'
import type { StreamRecords } from '../decide/rules.ts'
import { RecordsOfStream } from '../decide/stream-state.ts'
import type { Upcaster } from '../decide/upcast.ts'
import type { ClaimRequest } from '../model/claim.ts'
import { sealEvent } from '../model/personal.ts'
import type { Append, Appended, Claim, ClaimToTake, ClaimWithNumber, EventLog } from '../ports/event-log.ts'
import type { DomainEvent } from '../values/event.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import { countersIn, numbered } from '../values/sequence-numbers.ts'
import { parseStream, streamOf } from '../values/stream-name.ts'
import { appendTaking, claimChanges } from './claim-changes.ts'
import { keyedQueues } from './keyed-queues.ts'
import { loadedStreams } from './loaded-streams.ts'
import { type DecideDeps, prepare } from './prepare.ts'
import type { Outcome, Repeated, Transaction } from './transaction.ts'
import { type Unanswered, unansweredAppends } from './unanswered.ts'

export interface Engine {
  /** Loads, decides and appends. If another process has appended meanwhile, it decides again on fresh state, at most eight times. */
  transact(transaction: Transaction): Promise<Outcome | Repeated | Refusal>
  /** Loads and decides, and appends nothing. Returns the events that would happen now, or the refusal. */
  dryRun(transaction: Transaction): Promise<Decision>
  /**
   * Returns the present records of a stream.
   *
   * @param revision of an event that the caller has seen: cached state that is older is not used
   */
  records(aggregate: Decider, id: number, revision: number): Promise<StreamRecords>
  /** Drops the cached state of a stream that is done with: it is read from the log when it is needed again. */
  release(aggregate: Decider, id: number): void
  /** Drops the cached states, including personal data in the clear. */
  clearCache(): void
  /** Returns the key of a claim in the log. */
  claimKey(claim: Pick<ClaimRequest, 'scope' | 'value' | 'personal'>): string
}

const ATTEMPTS = 8
const CACHE_BYTES = 64 * 1024 * 1024

interface EngineDeps extends Omit<DecideDeps, 'streams'> {
  readonly log: EventLog
  readonly upcast: Upcaster
  /** Memory for folded streams, in bytes; default 64 MiB. */
  readonly cacheBytes?: number
  /** Whether no other process appends to the log. Cached states are then never older than the log. */
  readonly alone?: boolean
}

/** Creates the engine over a log. Nothing else appends events of aggregates. */
export const createEngine = (deps: EngineDeps): Engine => {
  const { log, vault, upcast, cacheBytes = CACHE_BYTES, alone = false } = deps
  const streams = loadedStreams({ log, vault, upcast, cacheBytes, alone })
  const runInTurn = keyedQueues()
  const claimKey: Engine['claimKey'] = ({ scope, value, personal }) =>
    `${scope}:${personal ? vault.token(scope, value) : value}`
  const attempt = attempting({ ...deps, streams, claimKey, unanswered: unansweredAppends(deps) })

  const attemptRepeatedly = async (transaction: Transaction): Promise<Outcome | Repeated | Held | Refusal> => {
    for (let tries = 0; tries < ATTEMPTS; tries++) {
      const result = await attempt(transaction, tries === 0)
      if (result !== 'again') return result
    }
    return refuse.conflict('The record is being changed by too many requests at once; try again')
  }
  // Writers of one stream take turns, so that only other processes can cause revision conflicts.
  const inTurn = (transaction: Transaction) =>
    transaction.isNew
      ? attemptRepeatedly(transaction)
      : runInTurn(streamOf(transaction.aggregate, transaction.id), () => attemptRepeatedly(transaction))

  const transact: Engine['transact'] = async (transaction) => {
    const result = await inTurn(transaction)
    return 'heldBy' in result ? transact(askingHolder(transaction, result.heldBy)) : result
  }

  return {
    claimKey,
    records: async (aggregate, id, revision) =>
      new RecordsOfStream((await streams.load(aggregate, id, revision)).state),
    dryRun: async (transaction) => (await prepare({ ...deps, streams }, transaction, true)).decision,
    release: (aggregate, id) => streams.drop(streamOf(aggregate, id)),
    clearCache: streams.dropAll,
    transact,
  }
}

/** The record that holds a claim of one that was to be created. */
interface Held {
  readonly heldBy: number
}

/** Returns a creation as the act that it is for the record which is there already. */
const askingHolder = ({ isNew: _, command, ...transaction }: Transaction, id: number): Transaction => {
  const { begins, ifTaken: type = command.type, ...rest } = command
  return { ...transaction, id, command: begins ? rest : { ...rest, id, type } }
}

interface AttemptDeps extends DecideDeps, Pick<EngineDeps, 'log'> {
  readonly claimKey: Engine['claimKey']
  readonly unanswered: Unanswered
}

/** Records in the log that a command was refused, unless it was carried out meanwhile. */
const recordRefusal = async (
  { log, streams }: AttemptDeps,
  { aggregate, id }: Transaction,
  take: readonly ClaimToTake[],
  expected: number,
) => {
  const stream = streamOf(aggregate, id)
  const appended = await log.append({ stream, expected, events: [], take })
  if (appended.ok) return undefined
  streams.drop(stream)
  if (appended.conflict === 'revision') return 'again'
  return { repeatOf: decided(appended.claim), position: await log.lastPosition() }
}

/** Returns a function that loads, decides and appends once. @returns `again` when another process has appended meanwhile */
const attempting = (deps: AttemptDeps) => async (transaction: Transaction, fresh: boolean) => {
  const { log, vault, streams, claimKey, unanswered } = deps
  const { aggregate, id, once, claimOnRefusal } = transaction
  const first = await unanswered.outcomeOf(transaction)
  if (first?.isCertain) return first.outcome
  const { before, decision, events, after } = await prepare(deps, transaction, fresh)
  // A claim that the stream already holds is no conflict in the log, so a repeated request is detected here.
  const repeatOf = once && before.revision >= 0 && (await log.claimed(once.key))
  if (repeatOf) return { repeatOf: decided(repeatOf), position: await log.lastPosition() }
  if (first && events.length === 0) return first.outcome
  if (decision instanceof Refusal)
    return (claimOnRefusal && (await recordRefusal(deps, transaction, claimOnRefusal, before.revision))) ?? decision
  if (decision.length === 0 && !once) {
    return { revision: before.revision, position: -1, events: [] } satisfies Outcome
  }
  const { taken, released } = claimChanges(aggregate, before.state, after.state, claimKey)
  const take = [...taken].map(
    ([key, { counter }]): ClaimWithNumber => ({ key, ...(counter !== undefined && { counter }) }),
  )
  const request: Append = {
    stream: streamOf(aggregate, id),
    expected: before.revision,
    events: await Promise.all(events.map((event) => sealEvent(vault, event.metadata.of ?? id, event))),
    // `once` comes first, so that a repeated request is not reported as a clash with another record.
    take: once ? [once, ...take] : take,
    release: released,
    repeatable: transaction.eventIds !== undefined,
    numbers: countersIn(events),
  }
  const appended = await appendTaking(log, request, taken).catch((error: unknown) => {
    // The outcome of the append is unknown, so the cached state may be out of date.
    streams.drop(request.stream)
    unanswered.note(transaction, before.revision, events)
    throw error
  })
  if (appended.ok) unanswered.settle(transaction)
  else streams.drop(request.stream)
  const numbers = appended.ok ? appended.numbers : undefined
  const appendedEvents = numbered(events, numbers)
  if (appended.ok && !appended.repeated)
    streams.cache(request.stream, numbers ? streams.advance(aggregate, id, before, appendedEvents) : after)
  const result = resultOf(appended, transaction, taken, appendedEvents)
  return result !== 'again' && 'repeatOf' in result ? { ...result, position: await log.lastPosition() } : result
}

/** @throws {Refusal} unavailable, when it is not yet known whether the claim was taken */
const decided = (claim: Claim): Claim => {
  if (claim.undecided) throw refuse.unavailable('a change that this one depends on is being decided; try again')
  return claim
}

const resultOf = (
  appended: Appended,
  { once, isNew, command: { ifTaken, begins } }: Transaction,
  taken: ReadonlyMap<string, ClaimRequest>,
  events: readonly DomainEvent[],
): Outcome | Omit<Repeated, 'position'> | Held | Refusal | 'again' => {
  if (appended.ok) return { revision: appended.revision, position: appended.position, events }
  if (appended.conflict === 'revision') return 'again'
  const claim = decided(appended.claim)
  if (claim.key === once?.key) return { repeatOf: claim }
  const refused = taken.get(claim.key)
  if (refused && (ifTaken !== undefined || (isNew && begins))) return { heldBy: parseStream(claim.stream).id }
  return refused ? refuse.invalid(refused.says, refused.field, 'taken') : 'again'
}
