import type { Upcast } from './decider.ts'
import type { Json, JsonObject } from './event.ts'
import type { FieldTable, Values } from './field.ts'
import type { Timer } from './timer.ts'

/** What every record has beside its attributes. */
export type Frame = {
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
export type RecordOf<M extends Model> = Frame & Values<M['attributes']> & { readonly [owner in OwnerOf<M>]: number }

/** The field with the id of the parent, for models of children. */
type OwnerOf<M extends Model> = M extends Model<FieldTable, string, infer O> ? O : never

/** Where in the log an event stands, as far as a fold may ask. */
export interface FoldedAt {
  /** Of the record that is folded. */
  readonly id: number
  /** Of the stream that the event is in. */
  readonly streamId: number
  /** Of the person whose the personal part of the event is. */
  readonly person: number
  readonly at: string
}

/** How one type of event changes a record. Stored formats: what they say of the data changes only together with `versions`. */
export interface EventSpec<A extends FieldTable = FieldTable> {
  /** The record begins with it. Its data are all attributes, or `only` these, or all `except` these; `personal` stands for all that are personal. */
  readonly born?: true
  readonly only?: readonly ((keyof A & string) | 'personal')[]
  readonly except?: readonly (keyof A & string)[]
  /** The record ends with it. */
  readonly gone?: true
  /** Attributes that its data assign. One that is personal brings all personal ones along, because they are sealed together. */
  readonly sets?: readonly ((keyof A & string) | 'personal')[]
  /** Assigns what changed and has no event of its own. */
  readonly changes?: 'rest'
  /** Attributes that become constants with it. */
  readonly to?: { readonly [name in keyof A]?: Json }
  /** The attribute that becomes its time. */
  readonly stamps?: keyof A & string
  /** The person is erased: nothing personal is left. */
  readonly forgets?: true
  /** Facts of the moment that its data have besides; `changed`: those of the attributes that it sets which differ. */
  tells?(before: Frame & Values<A>, after: Values<A>, changed: readonly string[]): JsonObject
  /** Records that it concerns; default: the one that the stream is named after, or the child that its data name. */
  of?(data: JsonObject, streamId: number): readonly number[]
  /** What is no assignment: the attributes that it changes, `null` when the record ends with it. */
  folds?(record: (Frame & Values<A>) | undefined, data: JsonObject, at: FoldedAt): Partial<Values<A>> | null
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
export interface DigestOf {
  readonly attribute: string
  readonly purpose: string
  /** Of its first letters alone, so many: what begins alike is found together. */
  readonly letters?: number
}

/** What a kind of record is: its attributes and how events change them. It imports no other model but those of its children. */
export interface Model<A extends FieldTable = FieldTable, E extends string = string, O extends string = string> {
  readonly name: string
  /** For children: their field with the parent's id. */
  readonly owner?: O
  readonly attributes: A
  readonly events: { readonly [type in E]: EventSpec }
  readonly children: Readonly<Record<string, Child>>
  readonly unique: readonly Unique[]
  readonly digests: Readonly<Record<string, DigestOf>>
  /** Attribute with the id of the person under whose key its personal attributes are sealed; default: the record's own id. */
  readonly person?: string
  traces?(person: RecordOf<Model>): JsonObject
  readonly derives?: { readonly version: number; of(record: RecordOf<Model>): JsonObject }
  readonly timers: readonly Timer[]
  readonly version?: number
  /** Whether a record takes commands: one that has ended can be read on, and is otherwise as good as gone. */
  isLive?(record: RecordOf<Model>): boolean
}

/** The declaration of a model. */
export interface ModelSpec<A extends FieldTable, E extends string, O extends string> {
  /** For children: their field with the parent's id. */
  readonly owner?: O
  readonly attributes: A
  readonly events: { readonly [type in E]: EventSpec<NoInfer<A>> }
  readonly children?: Readonly<Record<string, Child>>
  readonly unique?: readonly (Unique & { readonly attributes: readonly (keyof NoInfer<A> & string)[] })[]
  readonly digests?: Readonly<Record<string, DigestOf & { readonly attribute: keyof NoInfer<A> }>>
  readonly person?: keyof NoInfer<A> & string
  /** Attributes that are kept in the clear of what is personal, such as whether there is an address; of nobody once the person is erased. */
  traces?(person: Values<NoInfer<A>>): Partial<Values<NoInfer<A>>>
  /** Fields that follow from those that are not personal, so that lists can be narrowed by them; `version` is raised when they come out differently. */
  readonly derives?: { readonly version: number; of(record: Frame & Values<NoInfer<A>>): JsonObject }
  /** What is asked of a record by itself when its time has come. */
  readonly timers?: readonly Timer<Frame & Values<NoInfer<A>>>[]
  /** Raised when `folds`, `traces` or `of` come out differently for the same events: the records are then built anew. Default: 1. */
  readonly version?: number
  isLive?(record: Frame & Values<NoInfer<A>>): boolean
}

/**
 * A model from its declaration (design 3).
 *
 * @param name of the collection of its records, and of its streams unless it is another's child: `sales/opportunity`
 */
export const model = <const A extends FieldTable, const E extends string, const O extends string = never>(
  name: string,
  spec: ModelSpec<A, E, O>,
): Model<A, E, O> => {
  const { children = {}, unique = [], digests = {}, timers = [] } = spec
  // Functions over a table of attributes are only ever called with records of that table.
  const { attributes, events, owner, person, traces, derives, version, isLive } = spec
  const declared = {
    name,
    attributes,
    events,
    children,
    unique,
    digests,
    owner,
    person,
    traces,
    derives,
    timers,
    version,
    isLive,
  }
  return declared as unknown as Model<A, E, O>
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
export const settingEvents = <A extends FieldTable, E extends string>({ events }: Model<A, E>): readonly E[] =>
  (Object.keys(events) as E[]).filter((type) => {
    const { sets, changes, to, stamps, born, gone } = events[type]
    return (sets || changes || to || stamps) && !born && !gone
  })
