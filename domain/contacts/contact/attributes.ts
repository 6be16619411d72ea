import { visible } from '../../kernel/values/comparable.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'

/** Names of built-in properties. Custom attributes may not have them in any spelling. */
const BUILT_IN = new Set([
  'email_address',
  'first_name',
  'last_name',
  'phone_number',
  'fb_url',
  'twitter_url',
  'instagram_url',
  'linkedin_url',
  'website_url',
  'id',
  'public_id',
  'workspace_id',
  'anonymous',
  'time_zone',
  'uuid',
  'unsubscribed_at',
  'last_notification_email_sent_at',
  'email_suppression_reason',
  'is_active',
  'created_at',
  'updated_at',
  'deleted_at',
  'tags',
  'tag_ids',
  'custom_attributes',
  'visits',
])

/** Highest number of custom attributes of a contact, and the highest number of bytes of all of them. */
const MAX_ATTRIBUTES = 500
const MAX_BYTES = 256 * 1024

/**
 * Returns a key as it is stored: `Favourite colour!` → `favourite_colour`, letters with their marks and digits of any script, joined by underscores.
 * Keys that only differ in invisible characters or in how their letters are composed are one key.
 */
export const snakeCase = (key: string): string =>
  visible(key)
    .normalize('NFC')
    .replace(/([\p{Ll}\d]\p{M}*)(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .normalize('NFC')
    .replace(/[^\p{L}\p{M}\p{N}]+/gu, '_')
    .replace(/^[_\p{M}]+|_+$/gu, '')

/** Returns the stored key of an attribute; `undefined` for one that contacts cannot have. */
export const attributeKey = (key: string): string | undefined => {
  const name = snakeCase(key)
  return name === '' || BUILT_IN.has(name) ? undefined : name
}

/** Returns custom attributes with their stored keys, or why one is refused (contract: ContactParameters.custom_attributes). */
export const normalizeAttributes = (sent: Readonly<Record<string, string>>): Record<string, string> | Refusal => {
  const attributes: Record<string, string> = {}
  const spellings = new Map<string, string>()
  for (const [key, value] of Object.entries(sent)) {
    const name = snakeCase(key)
    if (name === '') return refuse.malformed('custom_attributes has an empty key', 'custom_attributes', 'blank')
    if (BUILT_IN.has(name)) {
      const message = `Custom attributes key '${key}' is the name of a built-in contact property`
      return refuse.invalid(message, 'custom_attributes', 'reserved')
    }
    const other = spellings.get(name)
    if (other !== undefined) {
      const message = `Custom attributes keys '${other}' and '${key}' are one key, '${name}'`
      return refuse.invalid(message, 'custom_attributes', 'taken')
    }
    spellings.set(name, key)
    attributes[name] = value
  }
  return attributes
}

/** Returns why a contact cannot have all of these attributes. A limit keeps one record from slowing down the others. */
export const limitProblem = (attributes: Readonly<Record<string, string>>): Refusal | undefined => {
  const entries = Object.entries(attributes)
  if (entries.length > MAX_ATTRIBUTES) {
    const message = `Custom attributes can be at most ${MAX_ATTRIBUTES}, and would be ${entries.length}`
    return refuse.invalid(message, 'custom_attributes', 'too_many')
  }
  // A character takes at most 3 bytes. The exact count is costly, and nearly no contact needs it.
  const characters = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (characters * 3 <= MAX_BYTES) return undefined
  const bytes = new TextEncoder().encode(entries.flat().join('')).length
  if (bytes <= MAX_BYTES) return undefined
  const message = `Custom attributes can take at most ${MAX_BYTES / 1024} KiB, and would take ${Math.ceil(bytes / 1024)} KiB`
  return refuse.invalid(message, 'custom_attributes', 'too_large')
}
