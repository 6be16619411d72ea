/** JSON as it goes over the wire and into the log. */
export type Json = null | boolean | number | string | readonly Json[] | JsonObject
export interface JsonObject {
  readonly [key: string]: Json | undefined
}

/** Tells whether a JSON value is an object. */
export const isJsonObject = (value: Json | undefined): value is JsonObject =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** A fact in the language of the business: a past-tense type and JSON-safe data. */
export interface DomainEvent {
  readonly type: string
  readonly data: JsonObject
}

declare const madeFor: unique symbol

/** An event for the streams of one aggregate. Only its model can make one. */
export interface EventOf<Stream extends string = string> extends DomainEvent {
  /** Only for the compiler. */
  readonly [madeFor]: Stream
}

/** Constructor of the events of one type. Its `type` is used where reactions name the type. */
export interface EventType<Stream extends string = string, Type extends string = string, Data = never> {
  /** Data can be left out when all of its fields are optional. */
  (...data: Partial<Data> extends Data ? [data?: Data] : [data: Data]): EventOf<Stream>
  readonly type: Type
}

/** Anything that names an event type. */
export interface HasEventType {
  readonly type: string
}

/** Metadata that the engine writes with every event. `$correlationId` and `$causationId` are EventStoreDB's own names. */
export interface Metadata {
  /** When it happened, ISO 8601 with milliseconds. */
  readonly at: string
  /** Author: `key:<id>`, `user:<id>`, `worker:<name>` or `system`. */
  readonly actor: string
  readonly $correlationId: string
  readonly $causationId: string
  readonly team_id?: number
  readonly workspace_id?: number
  /** Id of the person whom the personal part is about, where that differs from the id of the stream. */
  readonly of?: number
  /** Version of the event's schema; absent means 1. */
  readonly v?: number
  /** Commands that the request still has to carry out in other streams. They are on its last event in this stream. */
  readonly follow_ups?: StoredFollowUps
}

/** Commands for other streams, as the log stores them until they are carried out. They hold no personal data. */
export interface StoredFollowUps {
  /** Part of the keys of the claims that are taken with the commands, so that each is carried out once. */
  readonly key: string
  readonly commands: readonly { readonly aggregate: string; readonly id: number; readonly command: JsonObject }[]
}

/** An event that is to be appended. */
export interface NewEvent extends DomainEvent {
  /** A UUID. Derived from its cause in a repeatable append, random otherwise. */
  readonly id: string
  readonly metadata: Metadata
}

/** An event as the log returns it. */
export interface RecordedEvent extends NewEvent {
  readonly stream: string
  /** Position inside the stream, from 0. */
  readonly revision: number
  /** Position in the whole log: strictly ascending, not dense, opaque to everyone but the log. */
  readonly position: number
}

/** An event with the facts of its place in the log that records use. */
export type FoldedEvent = DomainEvent & Pick<RecordedEvent, 'metadata' | 'stream' | 'revision'>

/** Converts the data of an old event version to the next one. */
export type Upcast = (data: DomainEvent['data']) => DomainEvent['data']
