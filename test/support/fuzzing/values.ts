import fc, { type Arbitrary } from 'fast-check'
import { EITHER_FORM } from '../../../domain/kernel/values/public-ids.ts'

/** The subset of JSON Schema that request schemas use. */
export interface Schema {
  readonly type?: string
  readonly enum?: readonly unknown[]
  readonly const?: unknown
  readonly anyOf?: readonly Schema[]
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
  readonly patternProperties?: Readonly<Record<string, Schema>>
  readonly required?: readonly string[]
  readonly format?: string
  readonly pattern?: string
  readonly minimum?: number
  readonly maximum?: number
}

/** Keys and texts that often break programs. */
const TRAPS = [
  '__proto__',
  'constructor',
  'toString',
  'hasOwnProperty',
  '$ne',
  '$where',
  'a.b',
  '',
  ' ',
  'null',
  '0',
  '-0',
]
const CHARACTERS = [
  '\u0000',
  '\ud800',
  '\udfff',
  '\u202e',
  '\ufeff',
  '\u0301',
  '\u2028',
  '👩‍👩‍👧',
  'ﬀ',
  'İ',
  '\r\n',
  '%00',
  '"',
  '\\',
  '../',
]

export const oddText: Arbitrary<string> = fc.oneof(
  fc.constantFrom(...TRAPS, ...CHARACTERS),
  fc.string({ unit: 'binary', maxLength: 40 }),
  fc.string({ unit: fc.constantFrom(...CHARACTERS, 'a', ' '), maxLength: 12 }),
  fc
    .tuple(fc.constantFrom('x', '界', '👾', '\u0301'), fc.constantFrom(64, 255, 256, 2049, 20_000))
    .map(([unit, times]) => unit.repeat(times)),
)

const oddNumber: Arbitrary<number> = fc.oneof(
  fc.constantFrom(-1, 0.1, 2 ** 31, 2 ** 32, 2 ** 53, 2 ** 53 - 1, -(2 ** 53), 2 ** 63, 1e21, 1e308, 5e-324, -0.5),
  fc.double({ noNaN: true, noDefaultInfinity: true }),
  fc.maxSafeInteger(),
)

const nested: Arbitrary<unknown> = fc
  .tuple(fc.constantFrom(3, 20, 40, 200), fc.boolean())
  .map(([depth, list]) =>
    Array.from({ length: depth }).reduce((inner) => (list ? [inner] : { a: inner }), 1 as unknown),
  )

/** Any JSON, with a preference for unusual values. */
export const oddJson: Arbitrary<unknown> = fc.oneof(
  { maxDepth: 3 },
  { weight: 3, arbitrary: oddText },
  { weight: 2, arbitrary: oddNumber },
  { weight: 2, arbitrary: fc.constantFrom(null, true, false, [], {}) },
  { weight: 1, arbitrary: nested },
  { weight: 1, arbitrary: fc.jsonValue({ maxDepth: 4 }) },
  { weight: 1, arbitrary: fc.dictionary(oddText, fc.jsonValue({ maxDepth: 1 }), { maxKeys: 5 }) },
)

const MOMENTS = [
  '2026-01-02T03:04:05.678Z',
  '2026-01-02',
  '9999-12-31T23:59:59-23:59',
  '0000-01-01T00:00:00+23:59',
  '2024-02-30',
  '2026-01-02 03:04',
  '275760-09-13T00:00:00Z',
  '2026-13-01',
  '2026-01-02T25:00:00Z',
]
const PLAIN = [
  'Ada',
  'Deal',
  'Été',
  'ada@example.com',
  'b@example.com',
  '#123456',
  'US Dollar',
  '12.50',
  '1e3',
  '-5',
  'a b c',
]

/** Formats of texts by the names of their fields. */
const FORMS: readonly (readonly [RegExp, Arbitrary<string>])[] = [
  [/email/, fc.emailAddress({ size: 'small' })],
  [/url|href|link/, fc.webUrl()],
  [/value|amount|price/, fc.constantFrom('12.50', '0', '99999.99', '7')],
  [/subdomain|slug|path/, fc.stringMatching(/^[a-z]{3,12}$/)],
]

const text = ({ format }: Schema, name: string): Arbitrary<unknown> => {
  if (format === 'date-time') return fc.constantFrom(...MOMENTS)
  const form = FORMS.find(([named]) => named.test(name))?.[1]
  if (form) return form
  return fc.oneof(fc.constantFrom(...PLAIN), fc.string({ minLength: 1, maxLength: 30 }), fc.emailAddress())
}

const number = ({ minimum = -10, maximum = 1000, type }: Schema): Arbitrary<unknown> =>
  type === 'integer'
    ? fc.integer({ min: minimum, max: maximum })
    : fc.oneof(
        fc.integer({ min: minimum, max: maximum }),
        fc.integer({ min: minimum * 8, max: maximum * 8 }).map((eighths) => eighths / 8),
      )

/** Ids of the resource that a field's name suggests. */
export type Ids = (field: string) => Arbitrary<unknown>

const object = (schema: Schema, ids: Ids): Arbitrary<unknown> => {
  const known = Object.entries(schema.properties ?? {}).map(
    ([name, value]) => [name, nearly(value, name, ids)] as const,
  )
  const required = new Set(schema.required ?? [])
  const requiredKeys = known.map(([name]) => name).filter((name) => required.has(name))
  const fields = fc.record(Object.fromEntries(known), { requiredKeys, noNullPrototype: true })
  if (schema.patternProperties)
    return fc.dictionary(fc.oneof(fc.string({ maxLength: 12 }), oddText), fc.oneof(fc.string(), oddJson), {
      maxKeys: 4,
    })
  return fc.oneof(
    { weight: 9, arbitrary: fields },
    {
      weight: 1,
      arbitrary: fc.tuple(fields, fc.dictionary(oddText, oddJson, { maxKeys: 2 })).map(([a, b]) => ({ ...b, ...a })),
    },
    {
      weight: 1,
      arbitrary: fc
        .tuple(fields, fc.nat())
        .map(([all, left]) => Object.fromEntries(Object.entries(all).filter((_, index) => index !== left % 5))),
    },
  )
}

const valid = (schema: Schema, name: string, ids: Ids): Arbitrary<unknown> => {
  if (schema.anyOf) return fc.oneof(...schema.anyOf.map((one) => valid(one, name, ids)))
  if (schema.enum) return fc.constantFrom(...schema.enum)
  if (schema.const !== undefined) return fc.constant(schema.const)
  switch (schema.type) {
    case 'string':
      return schema.pattern === EITHER_FORM ? ids(name) : text(schema, name)
    case 'integer':
    case 'number':
      return /_ids?$|^id$/.test(name) ? ids(name) : number(schema)
    case 'boolean':
      return fc.boolean()
    case 'null':
      return fc.constant(null)
    case 'array':
      return fc.array(nearly(schema.items ?? {}, name, ids), { maxLength: 4 })
    case 'object':
      return object(schema, ids)
    default:
      return oddJson
  }
}

/** Mostly values of the schema, sometimes any JSON. */
export const nearly = (schema: Schema, name: string, ids: Ids): Arbitrary<unknown> =>
  fc.oneof({ weight: 30, arbitrary: valid(schema, name, ids) }, { weight: 1, arbitrary: oddJson })
