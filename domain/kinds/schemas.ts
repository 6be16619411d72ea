import { type TSchema, Type } from 'typebox'

/** Schemas that responses share. Values that the contract marks nullable stay so, although Millrace always has them. */
export const nullable = (schema: TSchema): TSchema => Type.Union([schema, Type.Null()])
export const dateTime = Type.String({ format: 'date-time' })
export const nullableDateTime = nullable(dateTime)
export const nullableString = nullable(Type.String())
export const nullableInteger = nullable(Type.Integer())

/** Id, public id, the fields of the record, times: what nearly every response has, in this order. */
export const recordSchema = (owner: string, fields: Readonly<Record<string, TSchema>>): TSchema =>
  Type.Object({
    id: Type.Integer(),
    public_id: nullableString,
    [owner]: Type.Integer(),
    ...fields,
    created_at: nullableDateTime,
    updated_at: nullableDateTime,
  })
