import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'
import type { Route } from '../routes.ts'
import { PREFIX } from '../routes.ts'
import type { Catalogue } from './catalogue.ts'

const SCHEMA = '#/components/schemas/'

const within = (value: Json | undefined, name: string): Json | undefined =>
  isJsonObject(value) && Object.hasOwn(value, name) ? value[name] : undefined

const at = (value: Json | undefined, ...names: readonly string[]): Json | undefined => names.reduce(within, value)

/** Returns a schema with what it refers to in its place. */
const resolved = (document: JsonObject, value: Json): Json => {
  if (Array.isArray(value)) return value.map((one) => resolved(document, one))
  if (!isJsonObject(value)) return value
  const { $ref } = value
  const named = typeof $ref === 'string' && $ref.startsWith(SCHEMA) ? $ref.slice(SCHEMA.length) : undefined
  const target = named === undefined ? undefined : at(document, 'components', 'schemas', named)
  if (target !== undefined) return target
  return Object.fromEntries(
    Object.entries(value).flatMap(([key, one]) => (one === undefined ? [] : [[key, resolved(document, one)]])),
  )
}

/** Returns the description of an operation as the OpenAPI document has it, with its schemas in place. */
export const describe = async (catalogue: Catalogue, { path, method }: Route): Promise<JsonObject> => {
  const document = await catalogue.openapi()
  const found = at(document, 'paths', PREFIX + path, method.toLowerCase())
  if (!isJsonObject(found)) return {}
  const { responses, ...operation } = found
  const succeeded = Object.entries(isJsonObject(responses) ? responses : {}).filter(([status]) =>
    status.startsWith('2'),
  )
  return {
    method,
    path,
    ...operation,
    responses: resolved(document, Object.fromEntries(succeeded.map(([status, one]) => [status, one ?? null]))),
  }
}
