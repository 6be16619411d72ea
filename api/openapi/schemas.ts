import { type TSchema, Type } from 'typebox'
import type { Resource } from '../../domain/resources/resource.ts'

/** Returns the prefix of the schema names of a resource: `ContactsAppliedTag` for `Contacts::AppliedTag`. */
export const schemaName = (resource: Resource): string =>
  resource.root
    .split('_')
    .map((word) => word.charAt(0).toUpperCase() + word.slice(1))
    .join('')

export const ERROR_SCHEMA = Type.Object({
  error: Type.String(),
  details: Type.Array(Type.Object({ field: Type.String(), code: Type.String(), message: Type.String() })),
  request_id: Type.String(),
  base: Type.Optional(
    Type.Array(Type.String(), { description: 'Messages about the record as a whole, which name no field' }),
  ),
})

/** Returns the response schema of a resource, with its expandable parts as optional properties. */
export const attributesSchema = (resource: Resource): TSchema => {
  const { schema, expands } = resource.view
  if (!expands) return schema
  const parts = Object.entries(expands).flatMap(([name, part]) =>
    part === 'inside' ? [] : [[name, Type.Optional(part)] as const],
  )
  return withProperties(schema, Object.fromEntries(parts))
}

/** Returns an object schema with further properties. */
export const withProperties = (schema: TSchema, more: Readonly<Record<string, TSchema>>): TSchema =>
  Type.Object({ ...(schema as unknown as { properties: Record<string, TSchema> }).properties, ...more })

/** Errors of operations of which a token may have few under way say when to ask again, as the contract has it. */
export const TOO_MANY_SCHEMA = withProperties(ERROR_SCHEMA, {
  hint: Type.Optional(Type.Null()),
  retry_after: Type.Optional(Type.Integer({ description: 'Seconds' })),
})
