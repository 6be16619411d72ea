import type { AuthoredTexts } from '../ports/authored-texts.ts'
import type { Document, Query } from '../ports/read-models.ts'
import type { DomainEvent } from '../values/event.ts'
import type { MaybePromise } from '../values/maybe-promise.ts'
import type { Refusal } from '../values/refusal.ts'

/** Author of a command, as decisions and events need it. */
export interface Actor {
  /** Label in the metadata of events: `key:12`, `worker:policies`, `system`. */
  readonly label: string
  /** Team membership that signs notes and the like. */
  readonly membershipId?: number
}

/** Command for an aggregate: an imperative name, time and actor. Subtypes add the data. */
export interface Command {
  readonly type: string
  /** Time of the command, ISO 8601. Decisions do not read a clock. */
  readonly at: string
  readonly actor: Actor
}

/** New events (none when the command changes nothing), or a refusal. */
export type Decision<E extends DomainEvent = DomainEvent> = readonly E[] | Refusal

/** Read access to the documents of the whole installation. */
export interface Documents {
  get(collection: string, id: number | string): MaybePromise<Document | undefined>
  getMany(collection: string, ids: readonly (number | string)[]): MaybePromise<(Document | undefined)[]>
  find(collection: string, query: Query): MaybePromise<Document[]>
}

/** Read access to the documents of one team and workspace, while facts are loaded. A document of another one is absent. */
export interface FactReader extends Documents {
  /** The documents of the whole installation, for the few rules that mean it. */
  readonly everywhere: Documents
  /** Returns the keyed digest of a personal value, by which documents are found. Only where a command is decided on. */
  digestOf?(purpose: string, value: string): string
  /** Tries texts in Liquid out. Only where a command is decided on. */
  readonly texts?: Pick<AuthoredTexts, 'problemsIn'>
}
