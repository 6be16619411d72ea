import { isJsonObject, type Json, type JsonObject } from '../../domain/kernel/values/event.ts'

const ID = /^ids?$|_ids?$/

/**
 * Says of each whole number that is an id by the name of its property that it may need 64 bits: ids of forms of contacts' attributes, of what a
 * variant includes and of events are larger than 32. All are exact in JSON, below 2^53.
 *
 * @param name property of which this is the schema
 */
export const withWideIds = (within: Json, name = ''): Json => {
  if (Array.isArray(within)) return within.map((one: Json) => withWideIds(one, name))
  if (!isJsonObject(within)) return within
  const copy: Record<string, Json> = {}
  for (const [key, value] of Object.entries(within))
    copy[key] = key === 'properties' && isJsonObject(value) ? ofProperties(value) : withWideIds(value as Json, name)
  return within.type === 'integer' && ID.test(name) ? { ...copy, format: 'int64' } : copy
}

const ofProperties = (properties: JsonObject): JsonObject =>
  Object.fromEntries(Object.entries(properties).map(([name, schema]) => [name, withWideIds(schema as Json, name)]))
