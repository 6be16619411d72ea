import { type TSchema, Type } from 'typebox'
import type { Json } from '../values/event.ts'
import type { PublicIds } from '../values/public-ids.ts'

/** Result of parsing one value: the value as the domain stores it, or a problem with a stable code. */
export type Parsed = { readonly value: Json } | { readonly problem: string; readonly code: string }

/** Services that parsers use. */
export interface ParseContext {
  readonly ids: PublicIds
  /** Zone of the tz database in which a date alone is understood; default: UTC. */
  readonly zone?: string
}

/** Source of a field's value: `sent` by clients, `managed` by rules alone, or `requested` by clients and decided by rules. */
export type Role = 'sent' | 'managed' | 'requested'

/** How a field is shown, unless simply as its value: never, only on request with `expand[]`, or in another form. */
export type Shown = 'never' | 'expanded' | { readonly schema: TSchema; of?(value: Json): Json }

/**
 * What becomes of a reference when the record that it names ends. `keep`: it stays, as a fact of the past. `act`: the record that refers is asked for
 * this act, with the id of the ended record in `ended_id`; `remove` removes it.
 */
export type OnTargetEnd = 'keep' | { readonly act: string }

/**
 * What sending a value does that cannot simply be taken back, reaches many people, shows something to everybody, or moves money: a verb phrase, such as
 * "mails many people". Values of `unless` do nothing of it, and neither does the initial value of a new record.
 */
export interface FieldConsequence {
  readonly says: string
  readonly unless?: readonly Json[]
}

/** One field of a record or of a request. Its type, validation, schemas and references all come from here. */
export interface Field<T = Json> {
  /** Only for the compiler: the type of the value. */
  readonly holds?: T
  readonly role: Role
  /** The field gets the next number of its workspace when the record is created. Records with the flag `apart` have a sequence of their own. */
  readonly sequence?: Series
  /** The value is sealed under the key of the person that it is about. */
  readonly personal: boolean
  readonly shown?: Shown
  /** Schema of the value in responses, and in requests unless `sends` is given. */
  readonly schema: TSchema
  /** Schema of the value in requests, where it differs from responses. */
  readonly sends?: TSchema
  /** The value must be present and not blank on creation, and cannot become blank later. */
  readonly required: boolean
  /** Clients may send `null`, which means the initial value. */
  readonly nullable: boolean
  /** Value on creation when the client sends none. A client may send `null` for it. */
  readonly default?: Json
  /** Value before anything is assigned. */
  readonly initial?: Json
  /** Cannot be changed after creation; a change that sends it is refused. */
  readonly immutable: boolean
  /** Resource that the value (or each value of a list) is an id of. The record must exist in the same workspace. */
  readonly refersTo?: string
  /** What the refusal says where the record is not there; `{ids}` stands for the ids. Default: the name of the field, and that it must exist. */
  readonly missing?: string
  /** Default: a list loses the id, and a field that is nullable becomes `null`. A required reference to records that can end must say it. */
  readonly onTargetEnd?: OnTargetEnd
  /** Fields of the object that the value is, or of each object of the list. */
  readonly inner?: FieldTable
  /** Description for the OpenAPI document. */
  readonly about?: string
  /** Name in messages, where it differs from the field's name in words. */
  readonly label?: string
  /** What `parse` says of a wrong value is said of `null`, too, instead of "can't be blank". */
  readonly wordsNull?: true
  readonly consequence?: FieldConsequence
  parse(value: unknown, context: ParseContext): Parsed
}

/** Which records of a workspace are numbered together. */
export interface Series {
  readonly apart?: string
}

export type FieldTable = Readonly<Record<string, Field>>

/** Returns the names of a table of fields. */
export const namesOf = <T extends FieldTable>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as unknown as readonly (keyof T & string)[]

/** Type of a field's value. */
export type Value<F extends Field> = Exclude<F['holds'], undefined>

/** Values of a record with these fields. */
export type Values<T extends FieldTable> = { readonly [name in keyof T]: Value<T[name]> }

/** Type of the value of a field with these options. It includes `null` when the field may stay without a value. */
export type FieldValue<V, O> = O extends { readonly initial: infer D }
  ? D extends null
    ? V | null
    : V
  : O extends { readonly nullable: true }
    ? V | null
    : O extends { readonly required: true }
      ? V
      : O extends { readonly default: infer D }
        ? D extends null
          ? V | null
          : V
        : V | null

/** A field with these options. The compiler knows whether it is personal. */
export type FieldOf<V, O> = Field<FieldValue<V, O>> & (O extends { readonly personal: true } ? Personal : unknown)

export interface Personal {
  readonly personal: true
}

/** Options of every field. */
export interface Options {
  readonly required?: boolean
  readonly nullable?: boolean
  readonly default?: Json
  readonly initial?: Json
  readonly immutable?: boolean
  readonly about?: string
  readonly label?: string
  readonly wordsNull?: true
  readonly personal?: boolean
  readonly shown?: Shown
  readonly onTargetEnd?: OnTargetEnd
  readonly missing?: string
  readonly consequence?: FieldConsequence
}

/** Makes the result for an invalid value, with a stable code. */
export const problem = (text: string, code: string): Parsed => ({ problem: text, code })

/** Makes a field with its own parser. fields.ts has constructors for the usual ones. */
export const field = <T, Extra = unknown>(
  schema: TSchema,
  given: Options | undefined,
  parse: Field['parse'],
  { sends, ...more }: Pick<Field, 'sends' | 'refersTo' | 'inner'> = {},
): Field<T> & Extra => {
  const options = given ?? {}
  const nullable = options.nullable ?? options.default === null
  // A record holds `null` only where that is the initial value.
  const holdsNull = nullable && (options.initial ?? options.default ?? null) === null
  const complete = (base: TSchema, orNull: boolean): TSchema => {
    const described = options.about ? { ...base, description: options.about } : base
    return orNull ? Type.Union([described, Type.Null()]) : described
  }
  const made: Field = {
    schema: complete(schema, holdsNull),
    ...((sends !== undefined || nullable !== holdsNull) && { sends: complete(sends ?? schema, nullable) }),
    required: options.required ?? false,
    nullable,
    immutable: options.immutable ?? false,
    role: 'sent',
    personal: options.personal ?? false,
    ...(options.shown !== undefined && { shown: options.shown }),
    ...(options.default !== undefined && { default: options.default }),
    ...(options.initial !== undefined && { initial: options.initial }),
    ...(options.about && { about: options.about }),
    ...(options.label !== undefined && { label: options.label }),
    ...(options.wordsNull && { wordsNull: true }),
    ...more,
    ...(options.onTargetEnd !== undefined && { onTargetEnd: options.onTargetEnd }),
    ...(options.missing !== undefined && { missing: options.missing }),
    ...(options.consequence !== undefined && { consequence: options.consequence }),
    parse,
  }
  return made as Field<T> & Extra
}

/** Returns what a list takes over from its items: what they refer to, or the fields of groups. */
export const inheritedFrom = ({
  refersTo,
  onTargetEnd,
  inner,
}: Pick<Field, 'refersTo' | 'onTargetEnd' | 'inner'>): Pick<Field, 'refersTo' | 'inner'> => ({
  ...(refersTo !== undefined && { refersTo }),
  ...(onTargetEnd !== undefined && { onTargetEnd }),
  ...(inner !== undefined && { inner }),
})

/** Returns the value of a field before anything is assigned, which is also the meaning of `null` from a client. */
export const initialOf = (field: Field | undefined): Json => field?.initial ?? field?.default ?? null

/** Makes a field that only rules write. A value that a client sends for it is ignored. */
export const managed = <F extends Field>(field: F, more: Pick<Options, 'shown'> = {}): F => ({
  ...field,
  ...more,
  role: 'managed',
})

/** Makes a field with a number that people see. It counts up per workspace, without repetition and without gaps. @param series `apart` names the flag of records that are numbered by themselves */
export const sequence = <F extends Field>(field: F, series: Series = {}): F => ({
  ...field,
  role: 'managed',
  sequence: series,
})

/** Makes a field that clients request and rules decide on, such as a position or a set of tags. */
export const requested = <F extends Field>(field: F): F => ({ ...field, role: 'requested' })
