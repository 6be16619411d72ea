import type { Json, JsonObject, Upcast } from '../values/event.ts'
import type { Unique } from './claim.ts'
import { checkFields } from './engine-fields.ts'
import { type EventTypes, eventTypesOf } from './event-types.ts'
import type { FieldTable, Values } from './field.ts'
import type { ReferenceSpec } from './references.ts'
import type { Timer, TimerTable } from './timer.ts'

/** Fields that every record has besides its attributes. */
export type RecordHeader = {
  readonly id: number
  readonly public_id: string
  readonly team_id?: number
  readonly workspace_id?: number
  readonly created_at: string
  readonly updated_at: string
  /** Revision of the newest event in it. */
  readonly rev: number
}

/** A record of a model. Decisions use it as state, read models store it as a document. */
export type RecordOf<M extends Model> = RecordHeader &
  Values<M['attributes']> & { readonly [owner in OwnerOf<M>]: number }

/** The field with the id of the parent, for models of children. */
type OwnerOf<M extends Model> = Exclude<M['owner'], undefined>

/** Place of an event in the log, as far as a fold may use it. */
export interface FoldContext {
  /** Id of the record that is folded. */
  readonly id: number
  /** Id in the name of the event's stream. */
  readonly streamId: number
  /** Id of the person whom the personal part of the event is about. */
  readonly person: number
  readonly at: string
}

/**
 * Declares how one type of event changes a record. Data is stored: its format changes only together with `versions`.
 *
 * @typeParam R record
 * @typeParam D data of the event, as `evolve` and `of` read it
 */
export interface EventSpec<A extends FieldTable = FieldTable, R = RecordHeader & Values<A>, D = JsonObject> {
  /** The event creates the record. Its data has all attributes, or `only` these, or all `except` these. `personal` stands for all personal ones. */
  readonly creates?: true
  readonly only?: readonly ((keyof A & string) | 'personal')[]
  readonly except?: readonly (keyof A & string)[]
  /** The event ends the record. */
  readonly ends?: true
  /** Returns the ids of the records that it ends, where it concerns others as well. */
  endsOnly?(data: D, streamId: number): readonly number[]
  /** Attributes that its data assigns. A personal one includes all personal ones, because they are sealed together. */
  readonly sets?: readonly ((keyof A & string) | 'personal')[]
  /** The event assigns all changed attributes that no other event assigns. */
  readonly changes?: 'rest'
  /** Attributes that the event sets to constants. */
  readonly constants?: { readonly [name in keyof A]?: Json }
  /** Attribute that is set to the time of the event. */
  readonly stamps?: keyof A & string
  /** The event erases the person: all personal attributes become empty. */
  readonly erasesPerson?: true
  /** Returns further data that is known when the event is made. `changed` names the assigned attributes whose values differ. */
  addsData?(before: R, after: Values<A>, changed: readonly string[]): JsonObject
  /** Returns the ids of the records that it concerns. Default: the record that the stream is named after, or the child that its data names. */
  of?(data: D, streamId: number): readonly number[]
  /** Computes changes that are not plain assignments: returns the attributes that change, or `null` when the event ends the record. */
  evolve?(record: R | undefined, data: D, at: FoldContext): Partial<Values<A>> | null
  /** Upcasts: each converts data of one version to the next. */
  readonly versions?: readonly Upcast[]
}

/** Records that live in the stream of their parent, because they share an invariant with it. */
export interface Child {
  readonly model: Model
  /** Field in the data of its events with the id of the child. */
  readonly key: string
  /** Field in the data of the event that ends the parent, with the ids of all children. They end with it. */
  readonly keys?: string
}

/** Makes a sealed value searchable: the document has a keyed digest of it, under the name of the index. */
export interface BlindIndex {
  readonly attribute: string
  readonly purpose: string
  /** Number of first letters that are digested, so that values with the same beginning are found together. Default: the whole value. */
  readonly letters?: number
  /** Returns the form of a value that is digested. Default: the value itself. */
  spelled?(value: string): string
}

/** An `EventSpec` for records of any type. Its functions are only called with records and data of their own model. */
export type AnyEventSpec = EventSpec<FieldTable, never, never>

/** The table of a model's events, by their types. */
export type EventTable = Readonly<Record<string, AnyEventSpec>>

export type Children = Readonly<Record<string, Child>>

/** Declares a kind of record: its attributes and how events change them. Its file imports no other models than those of its children. */
export interface Model {
  readonly name: string
  /** Name of the model after whose records its streams are named: itself, or its parent. */
  readonly stream: string
  /** For children: the field with the id of the parent. */
  readonly owner?: string
  readonly attributes: FieldTable
  readonly events: EventTable
  readonly children: Children
  readonly unique: readonly Unique[]
  /** References by the field of the document that holds them, where the attributes alone do not declare them. */
  readonly references?: Readonly<Record<string, ReferenceSpec>>
  readonly blindIndexes: Readonly<Record<string, BlindIndex>>
  /** Attribute with the id of the person under whose key its personal attributes are sealed; default: the record's own id. */
  readonly person?: string
  clearFlags?(person: RecordOf<Model>): JsonObject
  readonly derives?: { readonly version: number; of(record: RecordOf<Model>): JsonObject }
  readonly timers: readonly Timer[]
  isUnderWay?(record: RecordOf<Model>): boolean
  readonly version?: number
  /** Tells whether a record accepts commands. One that does not can still be read. */
  isLive?(record: RecordOf<Model>): boolean
}

/** A model with the types of its declaration. */
export interface DeclaredModel<
  Name extends string,
  A extends FieldTable,
  S extends Entries,
  Stream extends string,
  O extends string,
  C extends Children,
  T extends string,
> extends Model {
  readonly name: Name
  readonly stream: Stream
  readonly owner?: O
  readonly attributes: A
  readonly events: S
  readonly children: C
  readonly timers: readonly Timer<never, T>[]
  /** Constructors of the events in its streams, by type. Only a model that streams are named after has them, since it knows all of their events. */
  readonly event: [Stream] extends [Name] ? EventTypes<Name, A, S, C> : never
}

/** An event table as it was written. `CheckedEntries` checks its entries separately, so that the compiler reports an error at the entry. */
export type Entries = Readonly<Record<string, object>>

/** Turns each property that an entry cannot have into a compile error at that property. */
type CheckedEntries<S, A> = {
  readonly [type in keyof S]: {
    readonly [part in keyof S[type]]: part extends 'constants'
      ? { readonly [name in keyof S[type][part]]: name extends keyof A ? Json : 'not an attribute of the model' }
      : part extends keyof EventSpec
        ? unknown
        : 'not a property of an event spec'
  }
}

/** The declaration of a model. */
export interface ModelSpec<
  A extends FieldTable,
  S,
  Stream extends string,
  O extends string,
  C extends Children,
  T extends string,
> {
  /** For children: the model in whose streams they live. */
  readonly stream?: Stream
  /** For children: the field with the id of the parent. */
  readonly owner?: O
  readonly attributes: A
  readonly events: S & { readonly [type in keyof S]: EventSpec<NoInfer<A>> } & CheckedEntries<S, NoInfer<A>>
  readonly children?: C
  readonly unique?: readonly (Unique & { readonly attributes: readonly (keyof NoInfer<A> & string)[] })[]
  readonly references?: Readonly<Record<string, ReferenceSpec>>
  readonly blindIndexes?: Readonly<Record<string, BlindIndex & { readonly attribute: keyof NoInfer<A> }>>
  readonly person?: keyof NoInfer<A> & string
  /** Returns facts about personal attributes that are stored in the clear, such as whether there is an address. Once erased, all are `null`. */
  clearFlags?(person: Values<NoInfer<A>>): Partial<Values<NoInfer<A>>>
  /** Computes fields from attributes that are not personal, so that lists can filter by them. Raise `version` when the results change. */
  readonly derives?: { readonly version: number; of(record: RecordHeader & Values<NoInfer<A>>): JsonObject }
  /** Times at which a record receives a command by itself. Its rules name the act. */
  readonly timers?: TimerTable<T, RecordHeader & Values<NoInfer<A>>>
  /** Tells whether something that a timer began is under way. Late timers of the stream wait until it is over, so that they find its outcome. */
  isUnderWay?(record: RecordHeader & Values<NoInfer<A>>): boolean
  /** Raise it when `evolve`, `clearFlags` or `of` give different results for the same events: documents are then rebuilt. Default: 1. */
  readonly version?: number
  isLive?(record: RecordHeader & Values<NoInfer<A>>): boolean
}

/**
 * Makes a model from its declaration.
 *
 * @param name names the collection of its records, and its streams unless it is a child: `sales/opportunity`
 * @throws {Error} if an attribute or a blind index has the name of another field of its documents or events
 */
export const model = <
  const Name extends string,
  const A extends FieldTable,
  const S extends Entries,
  const Stream extends string = Name,
  const O extends string = never,
  const C extends Children = Record<never, never>,
  const T extends string = never,
>(
  name: Name,
  spec: ModelSpec<A, S, Stream, O, C, T>,
): DeclaredModel<Name, A, S, Stream, O, C, T> => {
  const { stream = name, children = {}, unique = [], blindIndexes = {}, timers = {} } = spec
  // The final cast is safe: these functions are only called with records of this model.
  const { attributes, events, owner, person, clearFlags, derives, version, isLive, isUnderWay, references } = spec
  checkFields({ name, attributes, owner, blindIndexes, children })
  const declared = {
    name,
    stream,
    attributes,
    events,
    children,
    unique,
    blindIndexes,
    ...{ owner, person, clearFlags, derives, version, isLive, isUnderWay, references },
    timers: Object.entries<object>(timers).map(([timer, timerSpec]) => ({ name: timer, ...timerSpec })),
    event: eventTypesOf(events, children),
  }
  return declared as unknown as DeclaredModel<Name, A, S, Stream, O, C, T>
}

/** Returns the names of the attributes that meet a condition. */
export const attributesWhere = (
  { attributes }: Model,
  matches: (field: FieldTable[string]) => boolean,
): readonly string[] =>
  Object.entries(attributes)
    .filter(([, field]) => matches(field))
    .map(([name]) => name)

/** Returns the types of events that change attributes but neither create nor end the record: those that `updated` is published for. */
export const settingEvents = <M extends Model>({ events }: M): readonly (keyof M['events'] & string)[] =>
  (Object.keys(events) as (keyof M['events'] & string)[]).filter((type) => {
    const { sets, changes, constants, stamps, creates, ends } = events[type] ?? {}
    return (sets || changes || constants || stamps) && !creates && !ends
  })

/** Returns the role of a model among the children of another; `undefined` when it is not one of them. */
export const roleOf = ({ children }: Model, child: { readonly name: string }): string | undefined =>
  Object.keys(children).find((role) => children[role]?.model.name === child.name)
