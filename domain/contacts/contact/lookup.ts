import { prefixOf } from '../../kernel/values/prefix.ts'

/** Personal values by which contacts are found although they are sealed, and the names that the means for it begin with. */
export const LOOKUPS = {
  email: { attribute: 'email_address', purpose: 'contact.email' },
  first_name: { attribute: 'first_name', purpose: 'contact.first_name' },
  last_name: { attribute: 'last_name', purpose: 'contact.last_name' },
} as const

/** How many letters of a value what begins alike is found together by. */
const LETTERS = 2

/** Keyed digests of them, and of their beginnings, by the fields that hold them. */
export const DIGESTS = {
  email_digest: LOOKUPS.email,
  first_name_digest: LOOKUPS.first_name,
  last_name_digest: LOOKUPS.last_name,
  email_beginning: { attribute: 'email_address', purpose: 'contact.email.beginning', letters: LETTERS },
  first_name_beginning: { attribute: 'first_name', purpose: 'contact.first_name.beginning', letters: LETTERS },
  last_name_beginning: { attribute: 'last_name', purpose: 'contact.last_name.beginning', letters: LETTERS },
} as const

/** Purpose of the digests by which contacts are found by e-mail address. */
export const EMAIL_DIGEST = LOOKUPS.email.purpose

/** What the beginning of every value is that begins with this; `undefined` when it is too short to tell. */
export const sharedBeginning = (value: string): string | undefined => prefixOf(value, LETTERS)

/** Fields that the lists of a workspace can be narrowed by beyond their filters. */
export const LOOKUP_FIELDS: readonly string[] = Object.keys(DIGESTS).filter((field) => field !== 'email_digest')
