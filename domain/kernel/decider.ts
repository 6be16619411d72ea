import type { DomainEvent, JsonObject, Metadata, RecordedEvent } from './event.ts'
import type { Document, MaybePromise, Query } from './ports/read-models.ts'
import type { Refusal } from './refusal.ts'

/** Who acts, as decisions and events need it. */
export interface Actor {
  /** As written into the metadata of events: `key:12`, `worker:policies`, `system`. */
  readonly label: string
  /** Team membership under which notes and the like are signed. */
  readonly membershipId?: number
}

/** What is asked of an aggregate: an imperative name, the moment and the actor, and the data of the command itself. */
export interface Command {
  readonly type: string
  /** ISO 8601: time enters a decision as data. */
  readonly at: string
  readonly actor: Actor
}

/** New events (none when the state already says so), or why not. */
export type Decision<E extends DomainEvent = DomainEvent> = readonly E[] | Refusal

/** An event as `evolve` sees it: with the envelope, and personal data opened (`null` once erased). */
export type Happened<E extends DomainEvent = DomainEvent> = E & { readonly metadata: Metadata }

/** An event with what a record takes over from its place in the log. */
export type FoldedEvent = DomainEvent & Pick<RecordedEvent, 'metadata' | 'stream' | 'revision'>

/** A value that only one stream at a time may hold. */
export interface ClaimWanted {
  /** What is unique, and where: `contacts/tag.name:<workspace>`. */
  readonly scope: string
  readonly value: string
  /** The value is personal: only a keyed digest of it is kept. */
  readonly personal?: boolean
  /** The field to blame and the sentence when somebody else holds it. */
  readonly field: string
  readonly says: string
}

/** Read access to documents while facts are loaded. */
export interface FactReader {
  get(collection: string, id: number | string): MaybePromise<Document | undefined>
  getMany(collection: string, ids: readonly (number | string)[]): MaybePromise<(Document | undefined)[]>
  find(collection: string, query: Query): MaybePromise<Document[]>
}

/**
 * The consistency boundary: one stream per instance, named `<name>-<id>`. `decide` and `evolve` are pure and total.
 * Declared with method syntax on purpose, so that lists of aggregates of many types can be held.
 */
export interface Aggregate<S = unknown, C extends Command = Command, E extends DomainEvent = DomainEvent, F = unknown> {
  readonly name: string
  readonly initial: S
  /** Every event type of this aggregate, with the upcasts that bring version n (at index n - 1) to n + 1. */
  readonly events: { readonly [type in E['type']]: readonly Upcast[] }
  decide(state: S, command: C, facts: F): Decision<E>
  evolve(state: S, event: Happened<E>): S
  /** The state after events that follow each other in one stream. */
  fold?(state: S, events: readonly FoldedEvent[]): S
  /** Brings a command that an older version kept in the log to what is asked today; one that is asked today stays as it is. */
  bringForward?(command: Command & JsonObject, id: number): Command
  /** Whose the personal part of an event of a write is, where that is not the one that the stream is named after. @throws {Error} when nobody is named */
  person?(state: S, event: DomainEvent, id: number, write: readonly DomainEvent[]): number | undefined
  /** What the decision needs from other streams, loaded before `decide`. */
  facts?(command: C, read: FactReader, state: S): Promise<F> | F
  /** What this instance holds exclusively in the given state; the engine takes and releases the difference. */
  claims?(state: S): readonly ClaimWanted[]
}

/** The state of an aggregate after events that follow each other in its stream. */
export const stateAfter = <S, C extends Command, E extends DomainEvent, F>(
  aggregate: Aggregate<S, C, E, F>,
  state: S,
  events: readonly FoldedEvent[],
): S =>
  aggregate.fold
    ? aggregate.fold(state, events)
    : events.reduce((before, event) => aggregate.evolve(before, event as unknown as Happened<E>), state)

/** Brings the data of an old event version to the next one. */
export type Upcast = (data: DomainEvent['data']) => DomainEvent['data']

/** Name of the stream of one instance. */
export const streamOf = (aggregate: { readonly name: string }, id: number): string => `${aggregate.name}-${id}`

/** The aggregate's name and the instance's id, from a stream's name. */
export const parseStream = (stream: string): { readonly name: string; readonly id: number } => {
  const dash = stream.lastIndexOf('-')
  return { name: stream.slice(0, dash), id: Number(stream.slice(dash + 1)) }
}
