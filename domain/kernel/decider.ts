import type { DomainEvent, RecordedEvent } from './event.ts'
import type { MaybePromise } from './maybe-promise.ts'
import type { Document, Query } from './ports/read-models.ts'
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

/** Brings the data of an old event version to the next one. */
export type Upcast = (data: DomainEvent['data']) => DomainEvent['data']

/** Name of the stream of one instance. */
export const streamOf = (aggregate: { readonly name: string }, id: number): string => `${aggregate.name}-${id}`

/** The aggregate's name and the instance's id, from a stream's name. */
export const parseStream = (stream: string): { readonly name: string; readonly id: number } => {
  const dash = stream.lastIndexOf('-')
  return { name: stream.slice(0, dash), id: Number(stream.slice(dash + 1)) }
}
