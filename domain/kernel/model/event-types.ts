import type { EventOf, EventType, Json, JsonObject } from '../values/event.ts'
import type { FieldTable, Personal, Values } from './field.ts'
import type { Children, Entries, EventTable, Model } from './model.ts'

/** Attributes that the data of an event assign, by its entry in the table. What is personal is said by rules that set attributes alone. */
type AssignedBy<A, S> = S extends { readonly sets: readonly (infer N)[] }
  ? N & keyof A
  : S extends { readonly only: readonly (infer N)[] }
    ? N & keyof A
    : S extends { readonly except: readonly (infer N)[] }
      ? Exclude<keyof A, N>
      : S extends { readonly creates: true } | { readonly changes: 'rest' }
        ? keyof A
        : never

/** Whoever begins a record need not say what may be `null`. */
export type CreationData<V> = { readonly [name in keyof V as null extends V[name] ? never : name]: V[name] } & {
  readonly [name in keyof V as null extends V[name] ? name : never]?: V[name]
}

/** What is personal is under a name of its own, which only rules that set attributes fill. */
type Plain<A extends FieldTable> = { readonly [name in keyof A as A[name] extends Personal ? never : name]: A[name] }

type Assigned<A extends FieldTable, S, V = Values<Plain<Pick<A, AssignedBy<A, S>>>>> = S extends {
  readonly changes: 'rest'
}
  ? Partial<V>
  : S extends { readonly creates: true }
    ? CreationData<V>
    : V

/** What is said besides, and what `folds` and `of` go by. */
type ExtraData<S> = (S extends { addsData(...asked: never[]): infer D } ? D : unknown) &
  (S extends { evolve(record: never, data: infer D, at: never): unknown } ? Declared<D> : unknown) &
  (S extends { of(data: infer D, streamId: never): unknown } ? Declared<D> : unknown)

/** Data of which nothing was declared can be anything. */
type Declared<D> = JsonObject extends D ? unknown : D

/** Which record it is: said by the data, where `of` does not make it out of them. */
type ChildKey<S, Key extends string> = S extends { of: unknown } ? unknown : { readonly [key in Key]: number }

/** What the events of one model say. */
type EventData<A extends FieldTable, S, Key extends string> = {
  readonly [type in keyof S]: ChildKey<S[type], Key> & Assigned<A, S[type]> & ExtraData<S[type]>
}

/** With a record that ends its children end. */
type EndingData<S, C extends Children> = {
  readonly [type in keyof S]: S[type] extends { readonly ends: true }
    ? { readonly [role in keyof C as C[role]['keys'] & string]: readonly number[] }
    : unknown
}

/** All of several types at once. */
type All<F> = [F] extends [(all: infer T) => void] ? T : never

type EventDataOfChildren<C extends Children> = All<
  {
    [role in keyof C]: (
      said: EventData<C[role]['model']['attributes'], C[role]['model']['events'], C[role]['key']>,
    ) => void
  }[keyof C]
>

/** What is said in the streams of a model, by type: what each of the models that know an event goes by. */
export type EventDataIn<A extends FieldTable, S extends Entries, C extends Children> = EventData<A, S, never> &
  EndingData<S, C> &
  ([keyof C] extends [never] ? unknown : EventDataOfChildren<C>)

type FieldOf<D> = D extends unknown ? keyof D : never

type FieldsOf<M extends Model, Key extends string = never> = FieldOf<
  EventData<M['attributes'], M['events'], Key>[keyof M['events']]
>

/** An event that a model knows, with whatever any of them says. */
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

/** An error in the table of a model is one where it stands, and not wherever its events are. */
// biome-ignore lint/suspicious/noExplicitAny: it is what there is of a model that is wrong
export type Unchecked = any

/** The types of events in the streams of a model. */
export type EventTypes<Stream extends string, A extends FieldTable, S extends Entries, C extends Children> = {
  readonly [type in keyof EventDataIn<A, S, C> & string]: string extends type
    ? Unchecked
    : EventType<
        Stream,
        type,
        // Written out, so that messages show what an event says.
        EventDataIn<A, S, C>[type] extends infer D ? { readonly [name in keyof D]: D[name] } : never
      >
}

/** An event by a name that is not known before it runs; the engine refuses one that the aggregate has not. */
export const eventNamed = <Stream extends string>(_: { readonly stream: Stream }, type: string, data: JsonObject) =>
  ({ type, data }) as EventOf<Stream>

const eventType = (type: string) => Object.assign((data: JsonObject = {}) => ({ type, data }), { type })

export const eventTypesOf = (events: EventTable, children: Children): Readonly<Record<string, object>> => {
  const tables = [events, ...Object.values(children).map(({ model }) => model.events)]
  return Object.fromEntries(tables.flatMap((table) => Object.keys(table).map((type) => [type, eventType(type)])))
}

/** Facts that events of a type have besides; for those that rules make by themselves. */
export const addedData =
  <D>(): (() => D) =>
  () => {
    throw new Error('what it says besides is known to the rules alone that make it')
  }
