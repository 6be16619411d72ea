import { Type } from 'typebox'
import { group, integer, text } from '../../kernel/model/fields.ts'

/** What variants of a product differ in: its size, its colour. */
export type Property = { readonly id: number; readonly name: string }

/** What one variant is in one of the properties. */
export type PropertyValue = { readonly property_id: number; readonly value: string }

const whole = group({
  id: integer({ min: 1, about: 'Of a property that is there; absent: a new one' }),
  name: text({ required: true, trim: true }),
})

/** A property as it is sent: spec 2.3 has its name alone, the schemas an object; both are taken. */
export const sentProperty: typeof whole = {
  ...whole,
  sends: Type.Union([Type.String({ maxLength: 255 }), whole.sends ?? whole.schema]),
  parse: (value, context) => whole.parse(typeof value === 'string' ? { name: value } : value, context),
}

/** A value of a property as it is sent. */
export const sentValue = group({
  property_id: integer({ required: true, min: 1 }),
  value: text({ required: true }),
})

/** Without outer space, and with one space wherever there is some. */
export const tidy = (value: string): string => value.trim().replace(/\s+/g, ' ')

/** Two values are the same if they differ in case and space alone. */
export const sameKey = (value: string): string => tidy(value).toLowerCase()

/** What a combination of values is told from others by, in the order of the properties. */
export const combination = (properties: readonly Property[], values: readonly PropertyValue[]): string =>
  JSON.stringify(properties.map(({ id }) => sameKey(values.find((one) => one.property_id === id)?.value ?? '')))
