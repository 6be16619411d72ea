import { LRUCache } from 'lru-cache'
import { boundTo, type Place } from '../decide/bound-reader.ts'
import type { Decision, Documents, FactReader } from '../decide/command.ts'
import type { Decider } from '../decide/decider.ts'
import type { RecordCommand } from '../decide/rules.ts'
import type { StreamState } from '../decide/stream-state.ts'
import type { AuthoredTexts } from '../ports/authored-texts.ts'
import type { Vault } from '../ports/vault.ts'
import type { NewEvent } from '../values/event.ts'
import { getOrInsert } from '../values/get-or-insert.ts'
import { Refusal, refuse } from '../values/refusal.ts'
import { foreignReference, strangerProblem } from './at-home.ts'
import { type Loaded, type LoadedStreams, newStream } from './loaded-streams.ts'
import { refuseBeyond, STREAM_BOUNDS, type StreamBounds } from './stream-bounds.ts'
import { type Transaction, toNewEvent } from './transaction.ts'

/**
 * Returns the command of a transaction, with the workspace of the transaction unless the command names one. Its time is not before the last event
 * of its stream: a clock may have gone back, and what happens in the background has the time of its cause.
 */
const commandFor = ({ command, workspaceId }: Transaction, { at }: Loaded): RecordCommand => {
  const placed = workspaceId === undefined || command.workspaceId !== undefined ? command : { ...command, workspaceId }
  return placed.at < at ? { ...placed, at } : placed
}

/** @throws {Error} for an event that the aggregate does not declare: once in the log, its stream could no longer be folded */
const withKnownEvents = ({ name, events }: Decider, decision: Decision): Decision => {
  if (decision instanceof Refusal) return decision
  const unknown = decision.find(({ type }) => !Object.hasOwn(events, type))
  if (unknown) throw new Error(`${name} has no event ${unknown.type}`)
  return decision
}

/** What deciding needs. */
export interface DecideDeps {
  readonly streams: LoadedStreams
  readonly read: Documents
  readonly vault: Vault
  /** Tries texts in Liquid out. Default: where the decision is made. */
  readonly texts?: Pick<AuthoredTexts, 'problemsIn'>
  readonly newEventId: () => string
  /** Sizes that streams may reach; default: `STREAM_BOUNDS`. */
  readonly bounds?: StreamBounds
}

const isAtRevision = (
  { documents }: StreamState,
  { model, id, revisions }: NonNullable<Transaction['ifRevision']>,
): boolean => revisions.includes(Number(documents[model]?.get(id)?.rev))

type Decide = (stream: Loaded, command: RecordCommand) => Promise<Decision>

type Reading = Pick<DecideDeps, 'read' | 'vault' | 'texts'>

/** Places whose readers are remembered. */
const REMEMBERED = 1000

/** Readers of places, by the vault that makes their digests. */
const readers = new WeakMap<Vault, LRUCache<string, FactReader>>()

/** Returns what rules read at a place. Most commands are for a few places. */
const readerAt = ({ read, vault, texts }: Reading, place: Place): FactReader => {
  const known = getOrInsert(readers, vault, () => new LRUCache<string, FactReader>({ max: REMEMBERED }))
  const key = `${place.teamId}:${place.workspaceId}`
  const found = known.get(key)
  if (found && found.everywhere === read && found.texts === texts) return found
  const digestOf = (purpose: string, value: string) => vault.token(purpose, value)
  const made = { ...boundTo(read, place), digestOf, ...(texts && { texts }) }
  known.set(key, made)
  return made
}

/** Returns a function that decides on commands with what there is at the place of a transaction. */
const deciding = (deps: Reading, transaction: Transaction, command: RecordCommand): Decide => {
  const { aggregate, teamId, workspaceId = command.workspaceId, referencesChecked } = transaction
  const { read } = deps
  const bound = readerAt(deps, { teamId, workspaceId })
  return async ({ state }, one) => {
    const decision = withKnownEvents(
      aggregate,
      aggregate.decide(state, one, await aggregate.facts?.(one, bound, state)),
    )
    if (decision instanceof Refusal || decision.length === 0 || referencesChecked) return decision
    return (await foreignReference(aggregate.model, one, workspaceId, read)) ?? decision
  }
}

type Root = NonNullable<RecordCommand['begins']>

/** Decides on the command for a child whose root may have to be created first. */
const decideWithRoot = async (
  { streams, newEventId }: DecideDeps,
  transaction: Transaction,
  { before, begins, command, decide }: { before: Loaded; begins: Root; command: RecordCommand; decide: Decide },
): Promise<Decision> => {
  const { begins: _begins, ...own } = command
  if (before.state.began) return decide(before, own)
  const { aggregate, id } = transaction
  const { child: _, ...root } = own
  const begun = await decide(before, { ...root, ...begins, type: 'create' })
  if (begun instanceof Refusal) return begun
  const events = begun.map((event, index) =>
    toNewEvent({ ...transaction, command: own }, event, { index, of: undefined }, newEventId),
  )
  const decision = await decide(streams.advance(aggregate, id, before, events), own)
  return decision instanceof Refusal ? decision : [...begun, ...decision]
}

/** Loads the stream of a transaction and decides on it. */
const decideOn = async (deps: DecideDeps, transaction: Transaction, fresh: boolean) => {
  const { aggregate, id, ifRevision } = transaction
  const before = transaction.isNew && fresh ? newStream(aggregate) : await deps.streams.load(aggregate, id)
  const command = commandFor(transaction, before)
  if (ifRevision && !isAtRevision(before.state, ifRevision)) {
    const decision = refuse.preconditionFailed('The record has changed since the revision given in If-Match')
    return { before, command, decision }
  }
  const stranger = strangerProblem(transaction, before.state)
  if (stranger) return { before, command, decision: stranger }
  const decide = deciding(deps, transaction, command)
  const { begins } = command
  const decision = begins
    ? decideWithRoot(deps, transaction, { before, begins, command, decide })
    : decide(before, command)
  return { before, command, decision: await decision }
}

/** A decision with the events to append and the state after them, or a refusal. */
type Prepared = {
  readonly before: Loaded
  readonly decision: Decision
  readonly events: readonly NewEvent[]
  readonly after: Loaded
}

/** Decides on a transaction, and folds the events. A write that the bounds of the stream keep out becomes a refusal. */
export const prepare = async (deps: DecideDeps, transaction: Transaction, fresh: boolean): Promise<Prepared> => {
  const { streams, newEventId, bounds = STREAM_BOUNDS } = deps
  const { aggregate, id } = transaction
  const { before, command, decision } = await decideOn(deps, transaction, fresh)
  if (decision instanceof Refusal || decision.length === 0) return { before, decision, events: [], after: before }
  const events = decision.map((event, index): NewEvent => {
    const of = aggregate.person?.(before.state, event, id, decision)
    return toNewEvent({ ...transaction, command }, event, { index, of }, newEventId)
  })
  const after = streams.advance(aggregate, id, before, events)
  const refusal = refuseBeyond(bounds, transaction, before.state, after.state)
  return { before, decision: refusal ?? decision, events, after }
}
