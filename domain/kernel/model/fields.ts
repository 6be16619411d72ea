import { type TSchema, Type } from 'typebox'
import { isBlankText } from '../values/comparable.ts'
import type { Json } from '../values/event.ts'
import { dayBegins, dayEnds, dayIn, instantIn, isWrittenAsInstant } from '../values/instant.ts'
import { AMOUNT_LIMIT } from '../values/money.ts'
import { EITHER_FORM } from '../values/public-ids.ts'
import {
  type Field,
  type FieldOf,
  type FieldTable,
  field,
  inheritedFrom,
  type Options,
  type Parsed,
  problem,
  type Values,
} from './field.ts'
import { isObject, isTooWide, MOST_ITEMS, parseFields, requestSchema, responseSchemas, sentSchema } from './parse.ts'

type TextOptions = Options & {
  readonly max?: number
  /** Removes outer white space. */
  readonly trim?: true
  /** Stores blank text as `null`, as every text does that may be `null`. */
  readonly emptyIsNull?: true
  /** Keeps blank text as it is. */
  readonly keepsBlank?: true
  /** Pattern that the text must match, and the message when it does not. Empty text is accepted. */
  readonly form?: { readonly test: RegExp; readonly says: string }
}

/** Returns the schema keywords that describe the text to clients: not blank if required, and of its form, if it has one. */
const formOf = ({ required, form }: TextOptions) => {
  if (form) return { pattern: required ? form.test.source : `^$|${form.test.source}` }
  return required ? { minLength: 1, pattern: '\\S' } : {}
}

/** Text of at most `max` characters (default 255), with an optional form. */
export const text = <const O extends TextOptions = Options>(given?: O): FieldOf<string, O> => {
  const options: TextOptions = given ?? {}
  const { max = 255, emptyIsNull, nullable, keepsBlank } = options
  const blankIsNull = emptyIsNull === true || (nullable === true && keepsBlank !== true)
  const parse: Field['parse'] = (value) => {
    if (typeof value !== 'string') return problem('must be a string', 'type')
    if (value.length > max) return problem(`is too long (maximum is ${max} characters)`, 'too_long')
    if (value.includes('\u0000')) return problem('must not contain a NUL character', 'invalid')
    if (!value.isWellFormed()) return problem('must be well-formed Unicode', 'invalid')
    if (blankIsNull && isBlankText(value)) return { value: null }
    if (options.form && value !== '' && !options.form.test.test(value)) return problem(options.form.says, 'invalid')
    return { value: options.trim ? value.trim() : value }
  }
  const sends = Type.String({ maxLength: max, ...formOf(options) })
  return field(Type.String({ maxLength: max }), options, parse, { sends })
}

/** Highest number of characters of a long text. */
export const LONGEST_TEXT = 1_000_000

/** Text of up to a million characters, such as code, in which blank text has a meaning. */
export const longText = <const O extends Options = Options>(options?: O): FieldOf<string, O> =>
  text({ ...options, max: LONGEST_TEXT, keepsBlank: true }) as FieldOf<string, O>

const NUMBER = /^[+-]?\d{1,15}(\.\d{1,15})?$/

const asNumber = (value: unknown): number | undefined => {
  if (typeof value === 'number' && Number.isFinite(value)) return value
  if (typeof value === 'string' && NUMBER.test(value.trim())) return Number(value)
  return undefined
}

interface Range {
  readonly min?: number
  readonly max?: number
}

const outside = (value: number, { min, max }: Range = {}): Parsed | undefined => {
  if (min !== undefined && value < min) return problem(`must be greater than or equal to ${min}`, 'too_small')
  if (max !== undefined && value > max) return problem(`must be less than or equal to ${max}`, 'too_large')
  return undefined
}

const bounds = ({ min, max }: Range = {}) => ({
  ...(min !== undefined && { minimum: min }),
  ...(max !== undefined && { maximum: max }),
})

/** A whole number. A string of digits is accepted as well. */
export const integer = <const O extends Options & Range = Options>(options?: O): FieldOf<number, O> =>
  field(Type.Integer(bounds(options)), options, (value) => {
    const parsed = asNumber(value)
    if (parsed === undefined || !Number.isSafeInteger(parsed)) return problem('must be an integer', 'type')
    return outside(parsed, options) ?? { value: parsed }
  })

/** A number. A string of decimal digits is accepted as well. */
export const decimal = <const O extends Options & Range = Options>(options?: O): FieldOf<number, O> =>
  field(Type.Number(bounds(options)), options, (value) => {
    const parsed = asNumber(value)
    if (parsed === undefined) return problem('is not a number', 'type')
    return outside(parsed, options) ?? { value: parsed }
  })

/** An amount of money: a number or a decimal string, stored as a decimal string. Its scale is checked where the currency is known. */
export const amount = <const O extends Options = Options>(options?: O): FieldOf<string, O> =>
  field(
    Type.Union([Type.Number(), Type.String()]),
    options,
    (value) => {
      const number = asNumber(value)
      if (number === undefined) return problem('is not a number', 'type')
      if (Math.abs(number) >= AMOUNT_LIMIT) return problem(`must be less than ${AMOUNT_LIMIT}`, 'too_large')
      return { value: String(value).trim() }
    },
    { sends: Type.Union([Type.Number(), Type.String({ pattern: NUMBER.source })]) },
  )

const BOOLEANS: ReadonlyMap<unknown, boolean> = new Map<unknown, boolean>([
  ...[true, 'true', 1, '1'].map((sent) => [sent, true] as const),
  ...[false, 'false', 0, '0'].map((sent) => [sent, false] as const),
])

/** A boolean. The numbers 1 and 0 and the strings `true`, `false`, `1` and `0` are accepted as well. */
export const flag = <const O extends Options = Options>(options?: O): FieldOf<boolean, O> =>
  field(Type.Boolean(), options, (sent) => {
    const value = BOOLEANS.get(sent)
    return value === undefined ? problem('must be true or false', 'type') : { value }
  })

type ChoiceOptions = Options & {
  /** Message for any other value. */
  readonly says?: string
}

/** One of a closed list of words. A field that may be without a value takes blank text for none. */
export const choice = <const W extends string, const O extends ChoiceOptions = Options>(
  words: readonly W[],
  options?: O,
): FieldOf<W, O> => {
  const { says = `is not included in the list (${words.join(', ')})`, nullable }: ChoiceOptions = options ?? {}
  return field(Type.Enum([...words]), options, (value) => {
    if (typeof value !== 'string') return problem(says, 'inclusion')
    if (nullable && isBlankText(value)) return { value: null }
    return (words as readonly string[]).includes(value) ? { value } : problem(says, 'inclusion')
  })
}

type MomentOptions = Options & {
  /** What a date alone means, in the zone of the workspace: the beginning of that day (default), its end, or nothing that is taken. */
  readonly dateAlone?: 'begins' | 'ends' | 'refused'
}

/** A point in time, ISO 8601 (UTC unless an offset is given), stored in UTC with milliseconds. */
export const moment = <const O extends MomentOptions = Options>(given?: O): FieldOf<string, O> => {
  const { dateAlone = 'begins', ...options }: MomentOptions = given ?? {}
  const parse: Field['parse'] = (value, { zone = 'UTC' }) => {
    if (typeof value !== 'string' || !isWrittenAsInstant(value)) return problem('must be an ISO 8601 date-time', 'type')
    const day = dayIn(value)
    if (day !== undefined && dateAlone === 'refused') return problem('must have a time of day', 'invalid')
    const utc = day === undefined ? instantIn(value) : dateAlone === 'ends' ? dayEnds(day, zone) : dayBegins(day, zone)
    return utc === undefined ? problem('is not a valid date-time', 'invalid') : { value: utc }
  }
  return field(Type.String({ format: 'date-time' }), options, parse)
}

const ID = Type.Union([Type.Integer({ minimum: 0 }), Type.String({ pattern: EITHER_FORM })])

type ReferenceOptions = Options & {
  /** Stores empty text as `null`. */
  readonly emptyIsNull?: true
}

/** The id (integer or public id) of a record of another resource in the same workspace. */
export const reference = <const O extends ReferenceOptions = Options>(
  resource: string,
  options?: O,
): FieldOf<number, O> =>
  field(
    Type.Integer(),
    options,
    (value, { ids }) => {
      if (value === '' && options?.emptyIsNull) return { value: null }
      const id = ids.of(resource).parse(value)
      return id === undefined ? problem('must be an id', 'type') : { value: id }
    },
    { sends: options?.emptyIsNull ? Type.Union([ID, Type.Literal('')]) : ID, refersTo: resource },
  )

/** A list of up to `max` items (default 1,000). Messages name the position of an invalid item. */
export const list = <T, const O extends Options & { readonly max?: number } = Options>(
  item: Field<T>,
  options?: O,
): FieldOf<readonly Exclude<T, null>[], O> => {
  const { max = MOST_ITEMS, required }: Options & { readonly max?: number } = options ?? {}
  const sends = Type.Array(sentSchema(item), { maxItems: max, ...(required && { minItems: 1 }) })
  return field(
    Type.Array(item.schema),
    options,
    (value, context) => {
      if (!Array.isArray(value)) return problem('must be an array', 'type')
      if (value.length > max) return problem(`has more than ${max} items`, 'too_long')
      const items: Json[] = []
      for (const [index, entry] of value.entries()) {
        if (entry === null && !item.nullable) return problem(`has no value at position ${index}`, 'blank')
        const parsed: Parsed = entry === null ? { value: null } : item.parse(entry, context)
        if ('problem' in parsed) return problem(`at position ${index} ${parsed.problem}`, parsed.code)
        items.push(parsed.value)
      }
      return { value: items }
    },
    { sends, ...inheritedFrom(item) },
  )
}

/** An object with its own table of fields. */
export const group = <F extends FieldTable, const O extends Options = Options>(
  fields: F,
  options?: O,
): FieldOf<Partial<Values<F>>, O> =>
  field(
    Type.Partial(Type.Object(responseSchemas(fields))),
    options,
    (value, context) => {
      if (!isObject(value)) return problem('must be an object', 'type')
      const { values, details } = parseFields(fields, value, 'create', context)
      const first = details[0]
      return first ? problem(`is invalid: ${first.message}`, first.code) : { value: values }
    },
    { sends: requestSchema(fields, 'create'), inner: fields },
  )

/** JSON in a shape that only rules check, with lists of bounded length. `schema` describes it in responses, `sends` in requests. */
export const data = <T, const O extends Options = Options>(
  schema: TSchema,
  options?: O,
  sends: TSchema = schema,
): FieldOf<T, O> =>
  field(
    schema,
    options,
    (value) =>
      isTooWide(value) ? problem(`has a list of more than ${MOST_ITEMS} items`, 'too_long') : { value: value as Json },
    { sends },
  )
