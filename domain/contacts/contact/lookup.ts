/** Personal values by which contacts are found although they are sealed, and the names that the means for it begin with. */
export const LOOKUPS = {
  email: { attribute: 'email_address', purpose: 'contact.email' },
  first_name: { attribute: 'first_name', purpose: 'contact.first_name' },
  last_name: { attribute: 'last_name', purpose: 'contact.last_name' },
} as const

/** Keyed digests of them, by the fields that hold them. */
export const DIGESTS = {
  email_digest: LOOKUPS.email,
  first_name_digest: LOOKUPS.first_name,
  last_name_digest: LOOKUPS.last_name,
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

type Named = { readonly [name in (typeof LOOKUPS)[keyof typeof LOOKUPS]['attribute']]: string | null }

/** Buckets of a person's values; `null` for what there is not, and for everything once the person is erased. */
export const bucketsOf = ({ email_address, first_name, last_name }: Named) => ({
  email_bucket: bucketOf(email_address ?? '') ?? null,
  first_name_bucket: bucketOf(first_name ?? '') ?? null,
  last_name_bucket: bucketOf(last_name ?? '') ?? null,
})

/** Fields that the lists of a workspace can be narrowed by beyond their filters. */
export const LOOKUP_FIELDS: readonly string[] = [
  'first_name_digest',
  'last_name_digest',
  ...Object.keys(LOOKUPS).map((name) => `${name}_bucket`),
]
