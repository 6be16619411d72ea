import type { Document } from '../../kernel/ports/read-models.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { shownName } from './typed-name.ts'

/** Attributes of a contact that templates may read. */
const READABLE = [
  ...['email_address', 'first_name', 'last_name', 'phone_number', 'time_zone', 'custom_attributes'],
  ...['fb_url', 'twitter_url', 'instagram_url', 'linkedin_url', 'website_url'],
]

/** Names, which a visitor may have typed for whoever the address belongs to. */
const NAMES = ['first_name', 'last_name']

const readable = (name: string, value: Json | undefined): Json =>
  NAMES.includes(name) && typeof value === 'string' ? shownName(value) : (value ?? null)

/** Returns what templates may read: values of the mailing, and the recipient. @param contact opened */
export const valuesFor = (values: JsonObject, contact: Document): JsonObject => ({
  ...values,
  contact: Object.fromEntries(READABLE.map((name) => [name, readable(name, contact[name])])),
})

/** Returns the name that mail to a contact shows. */
export const nameOf = ({ first_name: first, last_name: last }: Document): string =>
  [first, last].flatMap((name) => (typeof name === 'string' ? shownName(name) : [])).join(' ')
