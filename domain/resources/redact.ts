import type { TSchema } from 'typebox'
import { isJsonObject, type Json, type JsonObject } from '../kernel/values/event.ts'

/** What a JSON schema says, as far as it is asked here. */
interface Said {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly Said[]
  readonly properties?: Readonly<Record<string, Said>>
}

const isNullable = ({ type, anyOf = [] }: Said): boolean => type === 'null' || anyOf.some(isNullable)

/** Who it is must stay, or nobody could say what the record is about. */
const isId = (name: string): boolean => name === 'id' || name.endsWith('_id')

const EMPTY: Readonly<Record<string, Json>> = { string: '', boolean: false, array: [], integer: 0, number: 0 }

const emptied = (said: Said, value: Json | undefined): Json | undefined => {
  if (isNullable(said)) return null
  if (said.type === 'object') return isJsonObject(value) ? emptiedObject(said, value) : {}
  // A time or one of some words cannot be empty.
  if (said.type === undefined || said.format !== undefined || said.enum !== undefined) return value
  return EMPTY[said.type]
}

const emptiedObject = ({ properties = {} }: Said, shown: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, said]): [string, Json | undefined][] =>
      name in shown ? [[name, isId(name) ? shown[name] : emptied(said, shown[name])]] : [],
    ),
  )

/** Said of what may be shown blank. */
export const WITHOUT_PERSONS =
  'Blank where it is read with a token without contacts:read: ids and times stay, what may be null is null, texts, lists and objects are empty, flags false. Deliveries of webhooks carry it whole'

/**
 * What is shown of a record to somebody who may not see it, and yet sees that it is there: it fits the same schema, and tells which record it is and
 * when it changed. Whatever the schema does not name is left out.
 */
export const redact = (schema: TSchema, shown: JsonObject): JsonObject => emptiedObject(schema as Said, shown)
