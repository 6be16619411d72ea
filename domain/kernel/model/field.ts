import { type TSchema, Type } from 'typebox'
import type { Json } from '../values/event.ts'
import type { PublicIds } from '../values/public-ids.ts'

/** What parsing one value gives: the value as the domain keeps it, or what is wrong with it. */
export type Parsed = { readonly value: Json } | { readonly problem: string; readonly code: string }

/** What parsing needs to know beyond the value. */
export interface ParseContext {
  readonly ids: PublicIds
}

/** Who says what a field holds: clients, rules alone, or clients as a wish that rules grant. */
export type Role = 'sent' | 'managed' | 'requested'

/** How a field is shown where that is not simply its value: hidden, only when asked for with `expand[]`, or in another form. */
export type Shown = 'never' | 'expanded' | { readonly schema: TSchema; of?(value: Json): Json }

/** One field of a record or of a request: the one place that its type, validation, schemas and references come from. */
export interface Field<T = Json> {
  /** Only for the compiler: the type of what is held. */
  readonly holds?: T
  readonly role: Role
  /** The next number of its workspace, taken with the birth of the record. */
  readonly sequence?: true
  /** Sealed under the key of the person that it tells of. */
  readonly personal: boolean
  readonly shown?: Shown
  /** Schema of what a client sends and of what it gets back, where nothing else is declared. */
  readonly schema: TSchema
  /** Schema of what a client sends, where that is not what it gets back. */
  readonly sends?: TSchema
  /** Must be there, and not blank, on creation; may not be blanked later. */
  readonly required: boolean
  readonly nullable: boolean
  /** Value on creation when the client sends none. */
  readonly default?: Json
  /** What a record holds before anything is said of it, where a client that sends `null` is refused. */
  readonly initial?: Json
  /** Cannot be changed after creation; a change that sends it is refused. */
  readonly immutable: boolean
  /** The resource that the value (or each value of a list) is an id of; it must exist in the same workspace. */
  readonly refersTo?: string
  readonly about?: string
  /** What messages call it, where that is not its name in words. */
  readonly label?: string
  parse(value: unknown, context: ParseContext): Parsed
}

export type FieldTable = Readonly<Record<string, Field>>

/** The names of a table of fields. */
export const namesOf = <T extends FieldTable>(table: T): readonly (keyof T & string)[] =>
  Object.keys(table) as unknown as readonly (keyof T & string)[]

/** The type of what a field holds. */
export type Value<F extends Field> = Exclude<F['holds'], undefined>

/** What a record of these fields holds. */
export type Values<T extends FieldTable> = { readonly [name in keyof T]: Value<T[name]> }

/** The type of what a field with these options holds. Held is `null` as well where nothing need ever be said. */
export type Held<V, O> = O extends { readonly nullable: true }
  ? V | null
  : O extends { readonly required: true }
    ? V
    : O extends { readonly default: infer D }
      ? D extends null
        ? V | null
        : V
      : O extends { readonly initial: infer D }
        ? D extends null
          ? V | null
          : V
        : V | null

/** A field with these options. That it is personal is known to the compiler. */
export type FieldOf<V, O> = Field<Held<V, O>> & (O extends { readonly personal: true } ? Personal : unknown)

export interface Personal {
  readonly personal: true
}

/** What can be said of every field. */
export interface Options {
  readonly required?: boolean
  readonly nullable?: boolean
  readonly default?: Json
  readonly initial?: Json
  readonly immutable?: boolean
  readonly about?: string
  readonly label?: string
  readonly personal?: boolean
  readonly shown?: Shown
}

/** What is wrong with a value, and a stable word for it. */
export const problem = (text: string, code: string): Parsed => ({ problem: text, code })

/** A field with a parser of its own; the constructors in fields.ts make the usual ones. */
export const field = <T, Extra = unknown>(
  schema: TSchema,
  given: Options | undefined,
  parse: Field['parse'],
  { sends, refersTo }: Pick<Field, 'sends' | 'refersTo'> = {},
): Field<T> & Extra => {
  const options = given ?? {}
  const nullable = options.nullable ?? options.default === null
  const whole = (bare: TSchema): TSchema => {
    const described = options.about ? { ...bare, description: options.about } : bare
    return nullable ? Type.Union([described, Type.Null()]) : described
  }
  const made: Field = {
    schema: whole(schema),
    ...(sends !== undefined && { sends: whole(sends) }),
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
    ...(refersTo !== undefined && { refersTo }),
    parse,
  }
  return made as Field<T> & Extra
}

/** What a record holds of a field of which nothing has been said. */
export const initialOf = (field: Field | undefined): Json => field?.initial ?? field?.default ?? null

/** A field that only rules write; what a client sends under its name is ignored. */
export const managed = <F extends Field>(field: F, more: Pick<Options, 'shown'> = {}): F => ({
  ...field,
  ...more,
  role: 'managed',
})

/** A field with a number that people see: it counts up for each workspace, never twice and without gaps (design 4, Ids). */
export const sequence = <F extends Field>(field: F): F => ({ ...field, role: 'managed', sequence: true })

/** A field that clients wish for and rules decide on: a position, a set of tags. */
export const requested = <F extends Field>(field: F): F => ({ ...field, role: 'requested' })
