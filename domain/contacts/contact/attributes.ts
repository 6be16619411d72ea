import { type Refusal, refuse } from '../../kernel/refusal.ts'
import { NOBODY } from './events.ts'

/** Names of built-in properties, which custom attributes may not take in any spelling. */
const BUILT_IN = new Set([
  ...Object.keys(NOBODY),
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
  const attributes: Record<string, string> = {}
  for (const [key, value] of Object.entries(sent)) {
    const name = snakeCase(key)
    if (name === '') return refuse.malformed('custom_attributes has an empty key', 'custom_attributes', 'blank')
    if (BUILT_IN.has(name)) {
      const says = `Custom attributes key '${key}' is the name of a built-in contact property`
      return refuse.invalid(says, 'custom_attributes', 'reserved')
    }
    attributes[name] = value
  }
  return attributes
}
