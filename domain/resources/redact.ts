import type { TSchema } from 'typebox'
import { isJsonObject, type Json, type JsonObject } from '../kernel/values/event.ts'

/** The parts of a JSON schema that matter here. */
interface SchemaPart {
  readonly type?: string
  readonly format?: string
  readonly enum?: readonly Json[]
  readonly anyOf?: readonly SchemaPart[]
  readonly properties?: Readonly<Record<string, SchemaPart>>
}

const isNullable = ({ type, anyOf = [] }: SchemaPart): boolean => type === 'null' || anyOf.some(isNullable)

/** Ids stay: without them a reader could not tell what the record is about. */
const isId = (name: string): boolean => name === 'id' || name.endsWith('_id')

const EMPTY: Readonly<Record<string, Json>> = { string: '', boolean: false, array: [], integer: 0, number: 0 }

const blankValue = (schema: SchemaPart, value: Json | undefined): Json | undefined => {
  if (isNullable(schema)) return null
  if (schema.type === 'object') return isJsonObject(value) ? blankObject(schema, value) : {}
  // A time or a member of an enumeration cannot be empty.
  if (schema.type === undefined || schema.format !== undefined || schema.enum !== undefined) return value
  return EMPTY[schema.type]
}

const blankObject = ({ properties = {} }: SchemaPart, shown: JsonObject): JsonObject =>
  Object.fromEntries(
    Object.entries(properties).flatMap(([name, schema]): [string, Json | undefined][] =>
      name in shown ? [[name, isId(name) ? shown[name] : blankValue(schema, shown[name])]] : [],
    ),
  )

/** Description, in schemas, of records that may be shown blank. */
export const REDACTED_DESCRIPTION =
  'Blank where it is read with a token without contacts:read: ids and times stay, what may be null is null, texts, lists and objects are empty, flags false. Deliveries of webhooks carry it whole'

/**
 * Blanks a record for a reader who may know that it exists but may not see its data. The result fits the same schema and keeps ids and times.
 * Properties that the schema does not name are left out.
 */
export const redact = (schema: TSchema, shown: JsonObject): JsonObject => blankObject(schema as SchemaPart, shown)
