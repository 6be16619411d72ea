import type { TSchema } from 'typebox'
import type { Field } from '../../kernel/model/field.ts'
import { data } from '../../kernel/model/fields.ts'
import type { Json } from '../../kernel/values/event.ts'

/** Declares a field that a schema documents and whose value is passed on as it was sent. The operation itself validates it. */
export const asSent = (schema: TSchema, about?: string): Field<Json> => ({
  ...data<Json>(schema, about ? { about } : {}),
  nullable: true,
})

/** Returns the value if it is an object, else an object without keys. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
