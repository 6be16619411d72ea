import { Type } from 'typebox'
import { group, integer, text } from '../../kernel/model/fields.ts'
import { comparable } from '../../kernel/values/comparable.ts'

/** Property in which variants of a product differ, such as size or colour. */
export type Property = { readonly id: number; readonly name: string }

/** Value of a variant for one property. */
export type PropertyValue = { readonly property_id: number; readonly value: string }

const whole = group({
  id: integer({ min: 1, about: 'Of a property that is there; absent: a new one' }),
  name: text({ required: true, trim: true }),
})

/** Property as it is sent: a bare name as in spec 2.3, or an object as in the contract's schemas. */
export const sentProperty: typeof whole = {
  ...whole,
  sends: Type.Union([Type.String({ maxLength: 255 }), whole.sends ?? whole.schema]),
  parse: (value, context) => whole.parse(typeof value === 'string' ? { name: value } : value, context),
}

/** Property value as it is sent. */
export const sentValue = group({
  property_id: integer({ required: true, min: 1 }),
  value: text({ required: true }),
})

/** Returns a text as it is stored: composed (NFC), trimmed, with single spaces. */
export const tidy = (value: string): string => value.normalize('NFC').trim().replace(/\s+/g, ' ')

/** Returns the form in which values are compared, without regard to the amount of whitespace. */
export const sameKey = (value: string): string => comparable(tidy(value))

/** Key that identifies a combination of values, in the order of the properties. */
export const combination = (properties: readonly Property[], values: readonly PropertyValue[]): string =>
  JSON.stringify(properties.map(({ id }) => sameKey(values.find((one) => one.property_id === id)?.value ?? '')))
