import type { Document } from '../../kernel/ports/read-models.ts'
import { isJsonObject, type Json, type JsonObject } from '../../kernel/values/event.ts'
import type { LiquidValue } from '../liquid/render.ts'

/** Attributes of a contact that templates may read. */
const READABLE = [
  ...['email_address', 'first_name', 'last_name', 'phone_number', 'time_zone', 'custom_attributes'],
  ...['fb_url', 'twitter_url', 'instagram_url', 'linkedin_url', 'website_url'],
]

const readable = (value: Json | undefined): LiquidValue => {
  if (value === null || value === undefined || typeof value !== 'object') return value
  return isJsonObject(value) ? readableObject(value) : value.map(readable)
}

const readableObject = (object: JsonObject): Readonly<Record<string, LiquidValue>> =>
  Object.fromEntries(Object.entries(object).map(([name, inner]) => [name, readable(inner)]))

/** Returns what templates may read: values of the mailing, and the recipient. @param contact opened */
export const valuesFor = (values: JsonObject, contact: Document): Readonly<Record<string, LiquidValue>> => ({
  ...readableObject(values),
  contact: Object.fromEntries(READABLE.map((name) => [name, readable(contact[name] ?? null)])),
})

/** Returns the name that mail to a contact shows. */
export const nameOf = ({ first_name: first, last_name: last }: Document): string =>
  [first, last].filter((name) => typeof name === 'string').join(' ')
