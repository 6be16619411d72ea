import type { TSchema } from 'typebox'
import { MAX_DEPTH } from '../../api/http/json.ts'
import type { FieldTable, Role } from '../../domain/kernel/model/field.ts'
import { MOST_ITEMS, sentSchema } from '../../domain/kernel/model/parse.ts'
import type { Body } from '../../domain/resources/body.ts'
import { wideJson } from '../../test/support/scanners.ts'

/** Bodies as large as an operation may take them. */

export type Fields = Readonly<Record<string, unknown>>

export interface Variant {
  readonly name: string
  readonly fields: Fields
}

/** Name of the body of which every field is as large as there is room for it. */
export const AT_LIMITS = 'all at their limits'

/** The longest body, less what is around its fields. */
const BYTES = 1024 * 1024 - 4096
/** Length from which on a text may be long. */
const LONG = 4000
const EACH_ITEM = 100

/** What long texts consist of: what those who read HTML, Markdown, Liquid, markup or JSON find hard. */
const PIECES: readonly string[] = [
  'x',
  ' ',
  '\n',
  '"',
  '界',
  '<',
  '<b>',
  '<p>x</p>\n',
  '<p a=b c=d e>',
  '<a href="https://a.example/b">x</a> ',
  '<span data-mention="1"></span>',
  '<section><row><column>',
  '<text>x</text>\n',
  '&amp;',
  '*a ',
  '[a](b) ',
  '- a\n',
  '{{ a }}',
  '{% if a %}',
  '{% for a in (1..9) %}x{% endfor %}',
  'https://a.example/b ',
]

interface Schema {
  readonly type?: string
  readonly anyOf?: readonly Schema[]
  readonly enum?: readonly unknown[]
  readonly pattern?: string
  readonly format?: string
  readonly maxLength?: number
  readonly maxItems?: number
  readonly items?: Schema
  readonly properties?: Readonly<Record<string, Schema>>
}

const SENT: ReadonlySet<Role> = new Set(['sent', 'requested'])

const schemasOf = (fields: FieldTable): readonly (readonly [name: string, schema: Schema])[] =>
  Object.entries(fields)
    .filter(([, { role }]) => SENT.has(role))
    .map(([name, field]) => [name, plain(sentSchema(field))] as const)

/** The schema without `null`; of several kinds of values, the first. */
const plain = (schema: TSchema | Schema): Schema => {
  const one = (schema as Schema).anyOf?.find(({ type }) => type !== 'null')
  return one ? plain(one) : (schema as Schema)
}

const isFree = ({ type, properties, enum: words }: Schema): boolean =>
  !words && (type === undefined || (type === 'object' && Object.keys(properties ?? {}).length === 0))

const bytesOf = (text: string): number => Buffer.byteLength(JSON.stringify(text)) - 2

const repeated = (piece: string, characters: number): string =>
  piece.repeat(Math.floor(Math.min(characters / piece.length, BYTES / bytesOf(piece))))

/** Returns the largest value of a schema that is easily made; `undefined`: the usual one is kept. */
const largestOf = (schema: Schema, usual: unknown, most: number): unknown => {
  const { type, enum: words, pattern, format, maxLength = LONG, maxItems = MOST_ITEMS, items } = schema
  if (words) return usual
  if (type === 'string') return pattern || format ? usual : 'x'.repeat(Math.min(maxLength, most))
  if (type === 'array') return listOf(items ?? {}, usual, Math.min(maxItems, MOST_ITEMS), most)
  if (isFree(schema)) return keyed(most)
  if (type !== 'object') return usual
  const inner = Object.entries(schema.properties ?? {}).map(([name, one]) => {
    const known = (usual as Fields | undefined)?.[name]
    return [name, largestOf(plain(one), known, most / 4)] as const
  })
  return Object.fromEntries(inner.filter(([, value]) => value !== undefined))
}

const listOf = (items: Schema, usual: unknown, count: number, most: number): unknown => {
  const known = Array.isArray(usual) ? usual : []
  const item = known[0] ?? largestOf(plain(items), undefined, EACH_ITEM)
  if (item === undefined) return usual
  const size = Buffer.byteLength(JSON.stringify(item) ?? '') + 1
  const isName = typeof item === 'string' && known.length === 0
  const all = Array.from({ length: Math.min(count, Math.floor(most / size)) })
  return all.map((_, index) => (isName ? `${index} ${item}`.slice(0, EACH_ITEM) : (known[index] ?? item)))
}

/** An object with as many keys as it may have. */
const keyed = (most: number): Fields => {
  const size = Math.max(1, Math.floor(most / MOST_ITEMS) - 16)
  return Object.fromEntries(Array.from({ length: MOST_ITEMS }, (_, index) => [`key ${index}`, 'x'.repeat(size)]))
}

const nested = (isList: boolean): unknown =>
  Array.from({ length: MAX_DEPTH - 3 }).reduce<unknown>((inner) => (isList ? [inner] : { a: inner }), 'x')

/** Free-form JSON of the greatest size, width and depth. */
const freeForms = (): readonly (readonly [name: string, value: unknown])[] => [
  ['an object of a MiB', keyed(BYTES)],
  ['lists in each other', nested(true)],
  ['objects in each other', nested(false)],
  ['lists of nested lists', Array.from({ length: 300 }, () => nested(true))],
  ...wideJson.flatMap(({ name, of }) => [
    [`a list: ${name}`, JSON.parse(of(BYTES, MOST_ITEMS))] as const,
    [`an object with a list: ${name}`, { key: JSON.parse(of(BYTES, MOST_ITEMS)) }] as const,
    [`lists: ${name}`, Array.from({ length: 15 }, () => JSON.parse(of(BYTES / 15, MOST_ITEMS)))] as const,
  ]),
]

/** Returns bodies of an operation that are as large as they may be, in one way or another. @param usual fields that it accepts */
export const variantsOf = ({ fields }: Body, usual: Fields): readonly Variant[] => {
  const all = schemasOf(fields)
  const sizes = all.map(([, { type, maxLength = LONG }]) => (type === 'string' ? Math.min(maxLength, LONG) : 0))
  const left = Math.max(LONG, (BYTES - sizes.reduce((sum, size) => sum + size, 0)) / Math.max(1, all.length))
  const every = all.flatMap(([name, schema]) => {
    const value = largestOf(schema, usual[name], left)
    return value === undefined ? [] : [[name, value] as const]
  })
  const long = all.filter(([, { type, maxLength = 0, pattern }]) => type === 'string' && maxLength > LONG && !pattern)
  const texts = long.flatMap(([name, { maxLength = 0 }]) =>
    PIECES.map((piece) => ({
      name: `${name}: ${JSON.stringify(piece)}`,
      fields: { ...usual, [name]: repeated(piece, maxLength) },
    })),
  )
  const lists = all.flatMap(([name, schema]) => {
    if (schema.type !== 'array') return []
    const value = largestOf(schema, usual[name], BYTES)
    return value === undefined ? [] : [{ name: `${name}: the longest list`, fields: { ...usual, [name]: value } }]
  })
  const free = all
    .filter(([, schema]) => isFree(schema) || (schema.type === 'array' && isFree(plain(schema.items ?? {}))))
    .flatMap(([name]) =>
      freeForms().map(([form, value]) => ({ name: `${name}: ${form}`, fields: { ...usual, [name]: value } })),
    )
  return [
    { name: 'as usual', fields: usual },
    { name: AT_LIMITS, fields: { ...usual, ...Object.fromEntries(every) } },
    ...texts,
    ...lists,
    ...free,
  ]
}
