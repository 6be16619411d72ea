import type { EventOf, EventType, Json, JsonObject } from '../values/event.ts'
import type { FieldTable, Personal, Values } from './field.ts'
import type { Children, Entries, EventTable, Model } from './model.ts'

/** Names of the attributes that the data of an event assigns, by its entry in the table. */
type AssignedBy<A, S> = S extends { readonly sets: readonly (infer N)[] }
  ? N & keyof A
  : S extends { readonly only: readonly (infer N)[] }
    ? N & keyof A
    : S extends { readonly except: readonly (infer N)[] }
      ? Exclude<keyof A, N>
      : S extends { readonly creates: true } | { readonly changes: 'rest' }
        ? keyof A
        : never

/** Data of an event that creates a record. Attributes that may be `null` can be left out. */
export type CreationData<V> = { readonly [name in keyof V as null extends V[name] ? never : name]: V[name] } & {
  readonly [name in keyof V as null extends V[name] ? name : never]?: V[name]
}

/** Attributes without the personal ones. Those lie under their own key, which only events derived from attributes fill. */
type Plain<A extends FieldTable> = { readonly [name in keyof A as A[name] extends Personal ? never : name]: A[name] }

type Assigned<A extends FieldTable, S, V = Values<Plain<Pick<A, AssignedBy<A, S>>>>> = S extends {
  readonly changes: 'rest'
}
  ? Partial<V>
  : S extends { readonly creates: true }
    ? CreationData<V>
    : V

/** Data that `addsData` returns, and data that `evolve` and `of` read. */
type ExtraData<S> = (S extends { addsData(...args: never[]): infer D } ? D : unknown) &
  (S extends { evolve(record: never, data: infer D, at: never): unknown } ? Declared<D> : unknown) &
  (S extends { of(data: infer D, streamId: never): unknown } ? Declared<D> : unknown)

/** Data type of a function, or `unknown` when the function does not declare one. */
type Declared<D> = JsonObject extends D ? unknown : D

/** Field with the id of the child. It is absent where `of` derives the ids from the data. */
type ChildKey<S, Key extends string> = S extends { of: unknown } ? unknown : { readonly [key in Key]: number }

/** Data of the events of one model, by type. */
type EventData<A extends FieldTable, S, Key extends string> = {
  readonly [type in keyof S]: ChildKey<S[type], Key> & Assigned<A, S[type]> & ExtraData<S[type]>
}

/** Ids of the children in the data of an event that ends their parent. */
type EndingData<S, C extends Children> = {
  readonly [type in keyof S]: S[type] extends { readonly ends: true }
    ? { readonly [role in keyof C as C[role]['keys'] & string]: readonly number[] }
    : unknown
}

/** Intersection of the parameter types of a union of functions. */
type All<F> = [F] extends [(all: infer T) => void] ? T : never

type EventDataOfChildren<C extends Children> = All<
  {
    [role in keyof C]: (
      data: EventData<C[role]['model']['attributes'], C[role]['model']['events'], C[role]['key']>,
    ) => void
  }[keyof C]
>

/** Data of the events in the streams of a model, by type. If several models use an event, its data has the fields of all of them. */
export type EventDataIn<A extends FieldTable, S extends Entries, C extends Children> = EventData<A, S, never> &
  EndingData<S, C> &
  ([keyof C] extends [never] ? unknown : EventDataOfChildren<C>)

type FieldOf<D> = D extends unknown ? keyof D : never

type FieldsOf<M extends Model, Key extends string = never> = FieldOf<
  EventData<M['attributes'], M['events'], Key>[keyof M['events']]
>

/** An event of a model, with every data field that any of its events may have. */
export interface KnownEvent<M extends Model> {
  readonly type: string
  readonly data: {
    readonly [name in
      | FieldsOf<M>
      | {
          [role in keyof M['children']]: FieldsOf<M['children'][role]['model'], M['children'][role]['key']>
        }[keyof M['children']]]?: Json
  }
}

/** Stands in for data types that cannot be inferred. An error in an event table is then reported at the table, and not at every use of its events. */
// biome-ignore lint/suspicious/noExplicitAny: any is the only type that hides follow-on errors
export type UnknownData = any

/** The types of events in the streams of a model. */
export type EventTypes<Stream extends string, A extends FieldTable, S extends Entries, C extends Children> = {
  readonly [type in keyof EventDataIn<A, S, C> & string]: string extends type
    ? UnknownData
    : EventType<
        Stream,
        type,
        // Maps over the fields, so that compiler messages list them.
        EventDataIn<A, S, C>[type] extends infer D ? { readonly [name in keyof D]: D[name] } : never
      >
}

/** Makes an event of a type that is known only at run time. The engine throws for a type that the aggregate does not have. */
export const eventNamed = <Stream extends string>(_: { readonly stream: Stream }, type: string, data: JsonObject) =>
  ({ type, data }) as EventOf<Stream>

const eventType = (type: string) => Object.assign((data: JsonObject = {}) => ({ type, data }), { type })

/** Returns the constructors of all events of a model and its children, by type. */
export const eventTypesOf = (events: EventTable, children: Children): Readonly<Record<string, object>> => {
  const tables = [events, ...Object.values(children).map(({ model }) => model.events)]
  return Object.fromEntries(tables.flatMap((table) => Object.keys(table).map((type) => [type, eventType(type)])))
}

/** Declares the type of further data for events that only rules make. Its result throws an Error when it is called. */
export const addedData =
  <D>(): (() => D) =>
  () => {
    throw new Error('only rules can make this event, since they alone know its further data')
  }
