import { type TSchema, Type } from 'typebox'
import type { Shown } from '../kernel/model/field.ts'

/** Returns a schema that also allows `null`. Values that the contract marks nullable stay so, even if Millrace always has them. */
export const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
export const dateTime = Type.String({ format: 'date-time' })
export const nullableDateTime = nullable(dateTime)
export const nullableString = nullable(Type.String())
export const nullableInteger = nullable(Type.Integer())

/** Display of an id as text, as the contract has some of them. */
export const idAsText: Shown = {
  schema: nullableString,
  of: (id) => (typeof id === 'number' ? String(id) : null),
}
