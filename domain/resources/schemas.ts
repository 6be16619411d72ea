import { type TSchema, Type } from 'typebox'
import type { Shown } from '../kernel/model/field.ts'

/** Schemas that responses share. Values that the contract marks nullable stay so, although Millrace always has them. */
export const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
export const dateTime = Type.String({ format: 'date-time' })
export const nullableDateTime = nullable(dateTime)
export const nullableString = nullable(Type.String())
export const nullableInteger = nullable(Type.Integer())

/** The contract has some ids as text. */
export const idAsText: Shown = {
  schema: nullableString,
  of: (id) => (typeof id === 'number' ? String(id) : null),
}
