/** JSON as it goes over the wire and into the log. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Whether a JSON value is an object. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A fact in the language of the business: a past-tense type and JSON-safe data. */
export interface DomainEvent {
  readonly type: string
  readonly data: JsonObject
}

declare const madeFor: unique symbol

/** An event for the streams of one aggregate: its model makes it, and nothing else does. */
export interface EventOf<Stream extends string = string> extends DomainEvent {
  /** Only for the compiler. */
  readonly [madeFor]: Stream
}

/** A type of event: makes one out of its data, and names it where it is waited for. */
export interface EventType<Stream extends string = string, Type extends string = string, Data = never> {
  /** Data may be left out where nothing must be said. */
  (...data: Partial<Data> extends Data ? [data?: Data] : [data: Data]): EventOf<Stream>
  readonly type: Type
}

/** Something that an event is known by. */
export interface HasEventType {
  readonly type: string
}

/** What the engine writes around every event; `$correlationId` and `$causationId` are EventStoreDB's own names. */
export interface Metadata {
  /** When it happened, ISO 8601 with milliseconds. */
  readonly at: string
  /** Who did it: `key:<id>`, `user:<id>`, `worker:<name>` or `system`. */
  readonly actor: string
  readonly $correlationId: string
  readonly $causationId: string
  readonly team_id?: number
  readonly workspace_id?: number
  /** The person whose the personal part is, where that is not the one that the stream is named after. */
  readonly of?: number
  /** Version of the event's schema; absent means 1. */
  readonly v?: number
  /** What the request still has to do in other streams, with its last event here. */
  readonly follow_ups?: FollowUpsKept
}

/** Commands for other streams as the log keeps them until they are carried out; hold nothing personal. */
export interface FollowUpsKept {
  /** Names the claims that are taken as the commands are carried out, so that each is carried out once. */
  readonly key: string
  readonly commands: readonly { readonly aggregate: string; readonly id: number; readonly command: JsonObject }[]
}

/** An event on its way into the log. */
export interface NewEvent extends DomainEvent {
  /** A UUID. Derived from its cause in a repeatable append, random otherwise. */
  readonly id: string
  readonly metadata: Metadata
}

/** An event as the log gives it back. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string
  /** Position inside the stream, from 0. */
  readonly revision: number
  /** Position in the whole log: strictly ascending, not dense, opaque to everyone but the log. */
  readonly position: number
}

/** An event with what a record takes over from its place in the log. */
export type FoldedEvent = DomainEvent & Pick<RecordedEvent, 'metadata' | 'stream' | 'revision'>

/** Brings the data of an old event version to the next one. */
export type Upcast = (data: DomainEvent['data']) => DomainEvent['data']
