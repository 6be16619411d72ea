import { type TSchema, Type } from 'typebox'
import type { Json, JsonObject } from './event.ts'
import type { PublicIds } from './id.ts'
import type { Detail } from './refusal.ts'

/** What parsing one value gives: the value as the domain keeps it, or what is wrong with it. */
export type Parsed = { readonly value: Json } | { readonly problem: string; readonly code: string }

/** What parsing needs to know beyond the value. */
export interface ParseContext {
  readonly ids: PublicIds
}

/** One field of a request: the one place that its validation, its schemas and its references come from. */
export interface Field {
  /** Schema of what a client sends and of what it gets back, where nothing else is declared. */
  readonly schema: TSchema
  /** Must be there, and not blank, on creation; may not be blanked later. */
  readonly required: boolean
  readonly nullable: boolean
  /** Value on creation when the client sends none. */
  readonly default?: Json
  /** Cannot be changed after creation; a change that sends it is refused. */
  readonly immutable: boolean
  /** The resource that the value (or each value of a list) is an id of; it must exist in the same workspace. */
  readonly refersTo?: string
  readonly about?: string
  parse(value: unknown, context: ParseContext): Parsed
}

export type FieldTable = Readonly<Record<string, Field>>

interface Options {
  readonly required?: boolean
  readonly nullable?: boolean
  readonly default?: Json
  readonly immutable?: boolean
  readonly about?: string
}

const problem = (text: string, code: string): Parsed => ({ problem: text, code })

const field = (
  schema: TSchema,
  options: Options,
  parse: Field['parse'],
  extra: { readonly refersTo?: string } = {},
): Field => {
  const nullable = options.nullable ?? options.default === null
  const described = options.about ? { ...schema, description: options.about } : schema
  return {
    schema: nullable ? Type.Union([described, Type.Null()]) : described,
    required: options.required ?? false,
    nullable,
    immutable: options.immutable ?? false,
    ...(options.default !== undefined && { default: options.default }),
    ...(options.about && { about: options.about }),
    ...extra,
    parse,
  }
}

/** Text of at most `max` characters (default 255), with an optional form that `says` what is expected. */
export const text = (
  options: Options & { readonly max?: number; readonly form?: { readonly test: RegExp; readonly says: string } } = {},
): Field => {
  const max = options.max ?? 255
  return field(Type.String({ maxLength: max }), options, (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    if (value.length > max) return problem(`is too long (maximum is ${max} characters)`, 'too_long')
    if (value.includes('\u0000')) return problem('must not contain a NUL character', 'invalid')
    if (!value.isWellFormed()) return problem('must be well-formed Unicode', 'invalid')
    if (options.form && value !== '' && !options.form.test.test(value)) return problem(options.form.says, 'invalid')
    return { value }
  })
}

/** Longer text: up to a million characters. */
export const longText = (options: Options = {}): Field => text({ ...options, max: 1_000_000 })

const asNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && /^[+-]?\d{1,15}(\.\d{1,15})?$/.test(value.trim())) return Number(value)
  return undefined
}

interface Range {
  readonly min?: number
  readonly max?: number
}

const outside = (value: number, { min, max }: Range): Parsed | undefined => {
  if (min !== undefined && value < min) return problem(`must be greater than or equal to ${min}`, 'too_small')
  if (max !== undefined && value > max) return problem(`must be less than or equal to ${max}`, 'too_large')
  return undefined
}

const bounds = ({ min, max }: Range) => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
})

/** A whole number; digits in a string are understood as well. */
export const integer = (options: Options & Range = {}): Field =>
  field(Type.Integer(bounds(options)), options, (value) => {
    const parsed = asNumber(value)
    if (parsed === undefined || !Number.isSafeInteger(parsed)) return problem('must be an integer', 'type')
    return outside(parsed, options) ?? { value: parsed }
  })

/** A number; decimal digits in a string are understood as well. */
export const decimal = (options: Options & Range = {}): Field =>
  field(Type.Number(bounds(options)), options, (value) => {
    const parsed = asNumber(value)
    if (parsed === undefined) return problem('is not a number', 'type')
    return outside(parsed, options) ?? { value: parsed }
  })

/** An amount of money: a number or a decimal string; kept as a decimal string. The scale is the currency's, checked where that is known. */
export const amount = (options: Options = {}): Field =>
  field(Type.Union([Type.Number(), Type.String()]), options, (value) => {
    if (asNumber(value) === undefined) return problem('is not a number', 'type')
    return { value: String(value).trim() }
  })

/** True or false. */
export const flag = (options: Options = {}): Field =>
  field(Type.Boolean(), options, (value) => {
    if (typeof value === 'boolean') return { value }
    if (value === 'true' || value === 'false') return { value: value === 'true' }
    return problem('must be true or false', 'type')
  })

/** One of a closed list of words. */
export const choice = (words: readonly string[], options: Options = {}): Field =>
  field(Type.Enum([...words]), options, (value) =>
    typeof value === 'string' && words.includes(value)
      ? { value }
      : problem(`is not included in the list (${words.join(', ')})`, 'inclusion'),
  )

const ISO = /^\d{4}-\d{2}-\d{2}([T ]\d{2}:\d{2}(:\d{2}(\.\d{1,9})?)?(Z|[+-]\d{2}:?\d{2})?)?$/

/** A point in time, ISO 8601 (UTC where no offset is given); kept as UTC with milliseconds. */
export const moment = (options: Options = {}): Field =>
  field(Type.String({ format: 'date-time' }), options, (value) => {
    if (typeof value !== 'string' || !ISO.test(value)) return problem('must be an ISO 8601 date-time', 'type')
    const zoned = value.length === 10 || /(Z|[+-]\d{2}:?\d{2})$/.test(value) ? value : `${value}Z`
    const parsed = new Date(zoned.replace(' ', 'T'))
    const utc = Number.isNaN(parsed.getTime()) ? '' : parsed.toISOString()
    // An offset may carry a moment out of the four-digit years, which neither RFC 3339 nor an order of texts knows.
    return /^\d{4}-/.test(utc) ? { value: utc } : problem('is not a valid date-time', 'invalid')
  })

/** The id (integer or public id) of a record of another resource in the same workspace. */
export const reference = (resource: string, options: Options = {}): Field =>
  field(
    Type.Integer(),
    options,
    (value, { ids }) => {
      const id = ids.parse(value)
      return id === undefined ? problem('must be an id', 'type') : { value: id }
    },
    { refersTo: resource },
  )

/** A list; problems name the position of the item. */
export const list = (item: Field, options: Options & { readonly max?: number } = {}): Field =>
  field(
    Type.Array(item.schema),
    options,
    (value, context) => {
      if (!Array.isArray(value)) return problem('must be an array', 'type')
      if (value.length > (options.max ?? 1000)) return problem(`has more than ${options.max ?? 1000} items`, 'too_long')
      const items: Json[] = []
      for (const [index, entry] of value.entries()) {
        if (entry === null && !item.nullable) return problem(`has no value at position ${index}`, 'blank')
        const parsed: Parsed = entry === null ? { value: null } : item.parse(entry, context)
        if ('problem' in parsed) return problem(`at position ${index} ${parsed.problem}`, parsed.code)
        items.push(parsed.value)
      }
      return { value: items }
    },
    item.refersTo === undefined ? {} : { refersTo: item.refersTo },
  )

/** An object with fields of its own. */
export const group = (fields: FieldTable, options: Options = {}): Field =>
  field(requestSchema(fields, 'create'), options, (value, context) => {
    if (!isObject(value)) return problem('must be an object', 'type')
    const { values, details } = parseFields(fields, value, 'create', context)
    const first = details[0]
    return first ? problem(`is invalid: ${first.message}`, first.code) : { value: values }
  })

/** Free keys with text values. What is not an object is ignored, as the contract has it for custom attributes. */
export const textMap = (options: Options = {}): Field =>
  field(Type.Record(Type.String(), Type.String()), options, (value) => {
    if (!isObject(value)) return { value: {} }
    const entries: [string, string][] = []
    for (const [key, entry] of Object.entries(value)) {
      if (entry !== null && typeof entry === 'object') return problem(`has no text for '${key}'`, 'type')
      const written = entry === null ? '' : String(entry)
      if (key.length > 255 || written.length > 65_535) return problem('has an entry that is too long', 'too_long')
      if (written.includes('\u0000') || !written.isWellFormed() || !key.isWellFormed())
        return problem('must be well-formed Unicode', 'invalid')
      entries.push([key, written])
    }
    return { value: Object.fromEntries(entries) }
  })

const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `email_address` → `Email address`, as the contract's messages name fields. */
export const humanize = (name: string): string => {
  const words = name.replace(/_ids?$/, (end) => (end === '_ids' ? ' ids' : '')).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

const parseOne = (name: string, spec: Field, sent: unknown, context: ParseContext): Parsed => {
  if (sent === null && spec.nullable) return { value: null }
  if (isBlank(sent) && spec.required) return problem("can't be blank", 'blank')
  if (sent === null) return spec.default === undefined ? problem("can't be blank", 'blank') : { value: spec.default }
  const parsed = spec.parse(sent, context)
  if ('problem' in parsed || !spec.required || !Array.isArray(parsed.value) || parsed.value.length > 0) return parsed
  return problem(`must have at least one ${name}`, 'blank')
}

/**
 * Reads a body by its field table. On `create` missing fields get their default; on `change` they stay out. Keys that the
 * table does not know are ignored, as the contract has it.
 */
export const parseFields = (
  fields: FieldTable,
  body: Readonly<Record<string, unknown>>,
  mode: 'create' | 'change',
  context: ParseContext,
): { readonly values: JsonObject; readonly details: readonly Detail[] } => {
  const values: Record<string, Json> = {}
  const details: Detail[] = []
  for (const [name, spec] of Object.entries(fields)) {
    const sent = Object.hasOwn(body, name) ? body[name] : undefined
    if (sent === undefined && (mode === 'change' || !spec.required)) {
      if (mode === 'create' && spec.default !== undefined) values[name] = spec.default
      continue
    }
    const parsed =
      mode === 'change' && spec.immutable
        ? problem('cannot be changed', 'immutable')
        : parseOne(name, spec, sent, context)
    if ('problem' in parsed) {
      details.push({ field: name, code: parsed.code, message: `${humanize(name)} ${parsed.problem}` })
    } else values[name] = parsed.value
  }
  return { values, details }
}

/** JSON schema of a request that carries these fields. */
export const requestSchema = (fields: FieldTable, mode: 'create' | 'change'): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([name, spec]) => [
        name,
        mode === 'create' && spec.required ? spec.schema : Type.Optional(spec.schema),
      ]),
    ),
  )

/** JSON schemas of the same fields in a response, where every one is present. */
export const responseSchemas = (fields: FieldTable): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, spec]) => [name, spec.schema]))
