import { type Refusal, refuse } from '../../kernel/values/refusal.ts'

/** Names of built-in properties, which custom attributes may not take in any spelling. */
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

/** How many attributes of its own a contact may have, and how many bytes they may take together. */
const MOST = 500
const MOST_BYTES = 256 * 1024

/** `Favourite colour!` → `favourite_colour`: letters and digits of any script, joined by underscores. */
export const snakeCase = (key: string): string =>
  key
    .trim()
    .replace(/([\p{Ll}\d])(\p{Lu})/gu, '$1_$2')
    .toLowerCase()
    .replace(/[^\p{L}\p{N}]+/gu, '_')
    .replace(/^_+|_+$/g, '')

/** Custom attributes with keys as they are stored, or why one cannot be (contract: ContactParameters.custom_attributes). */
export const normalizeAttributes = (sent: Readonly<Record<string, string>>): Record<string, string> | Refusal => {
  const attributes: [string, string][] = []
  for (const [key, value] of Object.entries(sent)) {
    const name = snakeCase(key)
    if (name === '') return refuse.malformed('custom_attributes has an empty key', 'custom_attributes', 'blank')
    if (BUILT_IN.has(name)) {
      const says = `Custom attributes key '${key}' is the name of a built-in contact property`
      return refuse.invalid(says, 'custom_attributes', 'reserved')
    }
    attributes.push([name, value])
  }
  return Object.fromEntries(attributes)
}

/** Why a contact cannot have these attributes together: one record must not be a burden to the others. */
export const limitProblem = (attributes: Readonly<Record<string, string>>): Refusal | undefined => {
  const entries = Object.entries(attributes)
  if (entries.length > MOST) {
    const says = `Custom attributes can be at most ${MOST}, and would be ${entries.length}`
    return refuse.invalid(says, 'custom_attributes', 'too_many')
  }
  // Characters first: counting bytes costs more than nearly every contact needs.
  const characters = entries.reduce((sum, [key, value]) => sum + key.length + value.length, 0)
  if (characters * 3 <= MOST_BYTES) return undefined
  const bytes = new TextEncoder().encode(entries.flat().join('')).length
  if (bytes <= MOST_BYTES) return undefined
  const says = `Custom attributes can take at most ${MOST_BYTES / 1024} KiB, and would take ${Math.ceil(bytes / 1024)} KiB`
  return refuse.invalid(says, 'custom_attributes', 'too_large')
}
