import type { TSchema } from 'typebox'
import type { Field } from '../../kernel/model/field.ts'
import { data } from '../../kernel/model/fields.ts'
import type { Json } from '../../kernel/values/event.ts'

/** A value that is documented by a schema and handed on as it was sent: the operation itself says what is wrong with it. */
export const asSent = (schema: TSchema, about?: string): Field<Json> => ({
  ...data<Json>(schema, about ? { about } : {}),
  nullable: true,
})

/** What a client sent, where an object is expected; without keys when it is none. */
export const objectOf = (value: unknown): Readonly<Record<string, unknown>> =>
  typeof value === 'object' && value !== null && !Array.isArray(value)
    ? (value as Readonly<Record<string, unknown>>)
    : {}
