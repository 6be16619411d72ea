import type { JsonObject } from '../../kernel/event.ts'
import type { Digest } from '../../kernel/resource.ts'
import type { Personal } from './events.ts'

/** Personal values by which contacts are found although they are sealed, and the names that the means for it begin with. */
export const LOOKUPS = {
  email: { value: 'email_address', purpose: 'contact.email' },
  first_name: { value: 'first_name', purpose: 'contact.first_name' },
  last_name: { value: 'last_name', purpose: 'contact.last_name' },
} as const

/** Purpose of the digests by which contacts are found by e-mail address. */
export const EMAIL_DIGEST = LOOKUPS.email.purpose

/** How many letters of a personal value are kept in the clear, so that what begins alike is found together. */
const BUCKET_LETTERS = 2

/** The bucket of a value, or of everything that begins with it; `undefined` when it is too short to tell. */
export const bucketOf = (value: string): string | undefined => {
  const letters = [...value.trim().toLowerCase()]
  return letters.length < BUCKET_LETTERS ? undefined : letters.slice(0, BUCKET_LETTERS).join('')
}

/** Buckets of a person's values; `null` for what there is not, and for everything once the person is erased. */
export const bucketsOf = (personal: Personal | null): JsonObject =>
  Object.fromEntries(
    Object.entries(LOOKUPS).map(([name, { value }]) => [`${name}_bucket`, bucketOf(personal?.[value] ?? '') ?? null]),
  )

/** Keyed digests of a person's values, likewise. */
export const digestsOf = (personal: Personal | null): Readonly<Record<string, Digest | null>> =>
  Object.fromEntries(
    Object.entries(LOOKUPS).map(([name, { value, purpose }]) => {
      const held = personal?.[value]
      return [`${name}_digest`, held ? { purpose, value: held } : null]
    }),
  )

/** Fields that the lists of a workspace can be narrowed by beyond their filters. */
export const LOOKUP_FIELDS: readonly string[] = [
  'first_name_digest',
  'last_name_digest',
  ...Object.keys(LOOKUPS).map((name) => `${name}_bucket`),
]
