import type { Json, JsonObject, Upcast } from '../values/event.ts'
import { type EventTypes, eventTypesOf } from './event-types.ts'
import type { FieldTable, Values } from './field.ts'
import type { Timer, TimerTable } from './timer.ts'

/** What every record has beside its attributes. */
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

/** A record of a model: state of decisions and document in one. */
export type RecordOf<M extends Model> = RecordHeader &
  Values<M['attributes']> & { readonly [owner in OwnerOf<M>]: number }

/** The field with the id of the parent, for models of children. */
type OwnerOf<M extends Model> = Exclude<M['owner'], undefined>

/** Where in the log an event stands, as far as a fold may ask. */
export interface FoldContext {
  /** Of the record that is folded. */
  readonly id: number
  /** Of the stream that the event is in. */
  readonly streamId: number
  /** Of the person whose the personal part of the event is. */
  readonly person: number
  readonly at: string
}

/**
 * How one type of event changes a record. Stored formats: what they say of the data changes only together with `versions`.
 *
 * @typeParam R The record
 * @typeParam D Data, as functions know them
 */
export interface EventSpec<A extends FieldTable = FieldTable, R = RecordHeader & Values<A>, D = JsonObject> {
  /** The record begins with it. Its data are all attributes, or `only` these, or all `except` these; `personal` stands for all that are personal. */
  readonly creates?: true
  readonly only?: readonly ((keyof A & string) | 'personal')[]
  readonly except?: readonly (keyof A & string)[]
  /** The record ends with it. */
  readonly ends?: true
  /** Attributes that its data assign. One that is personal brings all personal ones along, because they are sealed together. */
  readonly sets?: readonly ((keyof A & string) | 'personal')[]
  /** Assigns what changed and has no event of its own. */
  readonly changes?: 'rest'
  /** Attributes that become constants with it. */
  readonly constants?: { readonly [name in keyof A]?: Json }
  /** The attribute that becomes its time. */
  readonly stamps?: keyof A & string
  /** The person is erased: nothing personal is left. */
  readonly erasesPerson?: true
  /** Facts of the moment that its data have besides; `changed`: those of the attributes that it sets which differ. */
  addsData?(before: R, after: Values<A>, changed: readonly string[]): JsonObject
  /** Records that it concerns; default: the one that the stream is named after, or the child that its data name. */
  of?(data: D, streamId: number): readonly number[]
  /** What is no assignment: the attributes that it changes, `null` when the record ends with it. */
  evolve?(record: R | undefined, data: D, at: FoldContext): Partial<Values<A>> | null
  /** Each brings data of one version to the next. */
  readonly versions?: readonly Upcast[]
}

/** Records that live in the stream of another, because they share an invariant with it. */
export interface Child {
  readonly model: Model
  /** Names the child in the data of its events. */
  readonly key: string
  /** Names all children in the data of the event with which their parent ends, and they with it. */
  readonly keys?: string
}

/** Values that one record at a time may hold, of its workspace or of what an attribute names. */
export interface Unique {
  readonly attributes: readonly string[]
  /** Default: `workspace`. `everywhere`: in the whole installation. */
  readonly within?: string
  /** Name of the claim; default made from the model and the attributes. */
  readonly scope?: string
  readonly says: string
}

/** A value that can be looked up although it is sealed: under the field's name the document has a keyed digest of it. */
export interface BlindIndex {
  readonly attribute: string
  readonly purpose: string
  /** Of its first letters alone, so many: what begins alike is found together. */
  readonly letters?: number
}

/** The same of whatever record: its functions are only ever called with what belongs to them. */
export type AnyEventSpec = EventSpec<FieldTable, never, never>

/** The table of a model's events, by their types. */
export type EventTable = Readonly<Record<string, AnyEventSpec>>

export type Children = Readonly<Record<string, Child>>

/** What a kind of record is: its attributes and how events change them. It imports no other model but those of its children. */
export interface Model {
  readonly name: string
  /** The model after whose records its streams are named: itself, or the one whose child it is. */
  readonly stream: string
  /** For children: their field with the parent's id. */
  readonly owner?: string
  readonly attributes: FieldTable
  readonly events: EventTable
  readonly children: Children
  readonly unique: readonly Unique[]
  readonly blindIndexes: Readonly<Record<string, BlindIndex>>
  /** Attribute with the id of the person under whose key its personal attributes are sealed; default: the record's own id. */
  readonly person?: string
  clearFlags?(person: RecordOf<Model>): JsonObject
  readonly derives?: { readonly version: number; of(record: RecordOf<Model>): JsonObject }
  readonly timers: readonly Timer[]
  readonly version?: number
  /** Whether a record takes commands: one that has ended can be read on, and is otherwise as good as gone. */
  isLive?(record: RecordOf<Model>): boolean
}

/** A model as it was declared. */
export interface Declared<
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
  /** What happens in its streams, by type. Only of the model that streams are named after, which knows all that is said in them. */
  readonly event: [Stream] extends [Name] ? EventTypes<Name, A, S, C> : never
}

/** A table as it was written. That its entries are what they should be is checked beside, so that an error stays where it stands. */
export type Entries = Readonly<Record<string, object>>

/** What an entry of the table cannot have is an error where it stands. */
type CheckedEntries<S, A> = {
  readonly [type in keyof S]: {
    readonly [part in keyof S[type]]: part extends 'constants'
      ? { readonly [name in keyof S[type][part]]: name extends keyof A ? Json : 'no attribute of the model' }
      : part extends keyof EventSpec
        ? unknown
        : 'nothing that is said of an event'
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
  /** For children: the model in whose streams they live, and their field with the id of its record. */
  readonly stream?: Stream
  readonly owner?: O
  readonly attributes: A
  readonly events: S & { readonly [type in keyof S]: EventSpec<NoInfer<A>> } & CheckedEntries<S, NoInfer<A>>
  readonly children?: C
  readonly unique?: readonly (Unique & { readonly attributes: readonly (keyof NoInfer<A> & string)[] })[]
  readonly blindIndexes?: Readonly<Record<string, BlindIndex & { readonly attribute: keyof NoInfer<A> }>>
  readonly person?: keyof NoInfer<A> & string
  /** Attributes that are kept in the clear of what is personal, such as whether there is an address; of nobody once the person is erased. */
  clearFlags?(person: Values<NoInfer<A>>): Partial<Values<NoInfer<A>>>
  /** Fields that follow from those that are not personal, so that lists can be narrowed by them; `version` is raised when they come out differently. */
  readonly derives?: { readonly version: number; of(record: RecordHeader & Values<NoInfer<A>>): JsonObject }
  /** When something is asked of a record by itself; what that is, its rules say. */
  readonly timers?: TimerTable<T, RecordHeader & Values<NoInfer<A>>>
  /** Raised `evolve`, `clearFlags` or `of` come out differently for the same events: the records are then built anew. Default: 1. */
  readonly version?: number
  isLive?(record: RecordHeader & Values<NoInfer<A>>): boolean
}

/**
 * A model from its declaration (design 3).
 *
 * @param name of the collection of its records, and of its streams unless it is another's child: `sales/opportunity`
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
): Declared<Name, A, S, Stream, O, C, T> => {
  const { stream = name, children = {}, unique = [], blindIndexes = {}, timers = {} } = spec
  // Functions over a table of attributes are only ever called with records of that table.
  const { attributes, events, owner, person, clearFlags, derives, version, isLive } = spec
  const declared = {
    name,
    stream,
    attributes,
    events,
    children,
    unique,
    blindIndexes,
    owner,
    person,
    clearFlags,
    derives,
    timers: Object.entries<object>(timers).map(([timer, said]) => ({ name: timer, ...said })),
    version,
    isLive,
    event: eventTypesOf(events, children),
  }
  return declared as unknown as Declared<Name, A, S, Stream, O, C, T>
}

/** The names of a model's attributes of which something holds. */
export const attributesWhere = (
  { attributes }: Model,
  holds: (field: FieldTable[string]) => boolean,
): readonly string[] =>
  Object.entries(attributes)
    .filter(([, field]) => holds(field))
    .map(([name]) => name)

/** The types of events that set attributes of a record which goes on: what `updated` says, with whatever is added later. */
export const settingEvents = <M extends Model>({ events }: M): readonly (keyof M['events'] & string)[] =>
  (Object.keys(events) as (keyof M['events'] & string)[]).filter((type) => {
    const { sets, changes, constants, stamps, creates, ends } = events[type] ?? {}
    return (sets || changes || constants || stamps) && !creates && !ends
  })

/** The role that a model has among the children of another; `undefined` where it is none of them. */
export const roleOf = ({ children }: Model, child: { readonly name: string }): string | undefined =>
  Object.keys(children).find((role) => children[role]?.model.name === child.name)
