import { type TSchema, Type } from 'typebox'
import { isBlankText } from '../values/comparable.ts'
import type { Json, JsonObject } from '../values/event.ts'
import type { Detail } from '../values/refusal.ts'
import { type Field, type FieldTable, initialOf, type ParseContext, type Parsed, problem } from './field.ts'

/** Tells whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** Highest number of items of a list, unless its field says otherwise. */
export const MOST_ITEMS = 1000

/** Whether a value, or anything inside it, has more items or keys than a list may have. */
export const isTooWide = (value: unknown): boolean => {
  if (typeof value !== 'object' || value === null) return false
  const items = Object.values(value)
  return items.length > MOST_ITEMS || items.some(isTooWide)
}

/** Returns a field name in words, as the contract's messages have it: `email_address` → `Email address`. */
export const humanize = (name: string): string => {
  const words = name.replace(/_ids?$/, (end) => (end === '_ids' ? ' ids' : '')).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && isBlankText(value))

/** Key that is refused, unlike other unknown keys: a client that sends it tries to reach the prototype of objects. */
const PROTOTYPE_KEY = '__proto__'

const parseOne = (name: string, spec: Field, sent: unknown, context: ParseContext): Parsed => {
  if (sent === null && spec.nullable) return { value: initialOf(spec) }
  if (isBlank(sent) && spec.required) return problem("can't be blank", 'blank')
  if (sent === null && spec.default !== undefined) return { value: spec.default }
  if (sent === null && !spec.wordsNull) return problem("can't be blank", 'blank')
  const parsed = spec.parse(sent, context)
  if ('problem' in parsed || !spec.required || !Array.isArray(parsed.value) || parsed.value.length > 0) return parsed
  return problem(`must have at least one ${name}`, 'blank')
}

/**
 * Reads a body by its field table. On `create` missing fields get their default; on `change` they are left out. Keys that
 * the table does not have are ignored, as the contract demands.
 */
export const parseFields = (
  fields: FieldTable,
  body: Readonly<Record<string, unknown>>,
  mode: 'create' | 'change',
  context: ParseContext,
): { readonly values: JsonObject; readonly details: readonly Detail[] } => {
  const values: Record<string, Json> = {}
  const details: Detail[] = []
  if (Object.hasOwn(body, PROTOTYPE_KEY))
    details.push({ field: PROTOTYPE_KEY, code: 'unknown', message: `${PROTOTYPE_KEY} is no field` })
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
      const message = `${spec.label ?? humanize(name)} ${parsed.problem}`
      details.push({ field: name, code: parsed.code, message })
    } else values[name] = parsed.value
  }
  return { values, details }
}

/** Returns the JSON schema of a value that a client sends. */
export const sentSchema = ({ schema, sends = schema }: Pick<Field, 'schema' | 'sends'>): TSchema => sends

/** Returns the JSON schema of a request with these fields. */
export const requestSchema = (fields: FieldTable, mode: 'create' | 'change'): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([name, spec]) => [
        name,
        mode === 'create' && spec.required ? sentSchema(spec) : Type.Optional(sentSchema(spec)),
      ]),
    ),
  )

/** Returns the JSON schemas of these fields in a response, where each of them is present. */
export const responseSchemas = (fields: FieldTable): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, spec]) => [name, spec.schema]))
