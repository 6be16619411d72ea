import { type TSchema, Type } from 'typebox'
import type { Json, JsonObject } from '../values/event.ts'
import type { Detail } from '../values/refusal.ts'
import { type Field, type FieldTable, type ParseContext, type Parsed, problem } from './field.ts'

/** Whether a value is a JSON object. */
export const isObject = (value: unknown): value is Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)

/** `email_address` → `Email address`, as the contract's messages name fields. */
export const humanize = (name: string): string => {
  const words = name.replace(/_ids?$/, (end) => (end === '_ids' ? ' ids' : '')).replaceAll('_', ' ')
  return words.charAt(0).toUpperCase() + words.slice(1)
}

const isBlank = (value: unknown): boolean =>
  value === undefined || value === null || (typeof value === 'string' && value.trim() === '')

/** Whoever sends this key means a property of all objects: it is not one of the keys that are ignored. */
const TRAP = '__proto__'

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
  if (Object.hasOwn(body, TRAP)) details.push({ field: TRAP, code: 'unknown', message: `${TRAP} is no field` })
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

/** JSON schema of one value that a client sends. */
export const sentSchema = ({ schema, sends = schema }: Pick<Field, 'schema' | 'sends'>): TSchema => sends

/** JSON schema of a request that carries these fields. */
export const requestSchema = (fields: FieldTable, mode: 'create' | 'change'): TSchema =>
  Type.Object(
    Object.fromEntries(
      Object.entries(fields).map(([name, spec]) => [
        name,
        mode === 'create' && spec.required ? sentSchema(spec) : Type.Optional(sentSchema(spec)),
      ]),
    ),
  )

/** JSON schemas of the same fields in a response, where every one is present. */
export const responseSchemas = (fields: FieldTable): Record<string, TSchema> =>
  Object.fromEntries(Object.entries(fields).map(([name, spec]) => [name, spec.schema]))
