import type { Document, Query } from '../ports/read-models.ts'
import type { DomainEvent } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'
import type { Refusal } from '../values/refusal.ts'

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

/** Read access to documents while facts are loaded. */
export interface FactReader {
  get(collection: string, id: number | string): MaybePromise<Document | undefined>
  getMany(collection: string, ids: readonly (number | string)[]): MaybePromise<(Document | undefined)[]>
  find(collection: string, query: Query): MaybePromise<Document[]>
}
