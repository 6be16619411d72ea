import type { Route } from '../../api/routes.ts'
import { recordMakers } from './records.ts'
import type { Tenant } from './service.ts'

/** Texts that a database with C strings or UTF-8 may cut off or confuse. */
export const ODD = ['\u0000', '\u0001', '\ud800', '\udc00', '\u0000\u0001']

/** Path of a text in a JSON body. */
export type JsonPath = readonly (string | number)[]

type Fields = Record<string, unknown>

const admitsText = (schema: unknown): boolean => {
  const { type, anyOf, enum: words } = schema as { type?: string; anyOf?: readonly unknown[]; enum?: unknown }
  return words === undefined && (type === 'string' || (anyOf ?? []).some(admitsText))
}

const isMap = (schema: unknown): boolean => (schema as { patternProperties?: unknown }).patternProperties !== undefined

const leaves = (value: unknown, place: JsonPath): readonly JsonPath[] => {
  if (typeof value === 'string') return [place]
  if (typeof value !== 'object' || value === null) return []
  return Object.entries(value).flatMap(([key, inner]) =>
    leaves(inner, [...place, Array.isArray(value) ? Number(key) : key]),
  )
}

export const bodyOf = ({ operation }: Route) => (operation.kind === 'write' ? operation.body : undefined)

/** Fields with which an operation succeeds. */
export const validFields = async (tenant: Tenant, route: Route): Promise<Fields> => {
  const maker = recordMakers[route.resource.name]
  const valid = maker?.by?.[route.operationId] ?? maker?.fields
  const known = Object.keys(bodyOf(route)?.fields ?? {})
  const fields = valid ? await valid(tenant) : {}
  return Object.fromEntries(Object.entries(fields).filter(([name]) => known.includes(name)))
}

/** Every path of a body that accepts a text: text fields, texts in the given fields, keys and values of maps. */
export const textPlaces = (route: Route, valid: Fields): readonly JsonPath[] => {
  const declared = Object.entries(bodyOf(route)?.fields ?? {}).flatMap(([name, { schema }]): readonly JsonPath[] => {
    if (admitsText(schema)) return [[name]]
    return isMap(schema) ? [[name, 'plain'], [name]] : []
  })
  const within = leaves(valid, []).filter((place) => place.length > 1)
  return [...declared, ...within]
}

/** The body with an odd text inserted in the middle of the text at a path. @param spread whether a map gets it in a key */
export const withOddText = (
  route: Route,
  valid: Fields,
  place: JsonPath,
  odd: string,
): { fields: Fields; text: string } => {
  const present = place.reduce<unknown>((inner, key) => Object(inner)[key], valid)
  const before = typeof present === 'string' && present.length > 1 ? present : 'xy'
  const text = before.slice(0, 1) + odd + before.slice(1)
  const schema = bodyOf(route)!.fields[String(place[0])]?.schema
  const value = place.length === 1 && isMap(schema) ? { [text]: text } : text
  return { fields: put(valid, place, value) as Fields, text }
}

const put = (into: unknown, [key, ...rest]: JsonPath, value: unknown): unknown => {
  if (key === undefined) return value
  if (Array.isArray(into)) return into.map((item, index) => (index === key ? put(item, rest, value) : item))
  const fields = Object(into) as Fields
  return { ...fields, [key]: put(fields[key], rest, value) }
}
