import type { Vault } from '../../kernel/ports/vault.ts'
import { mailboxOf } from '../../kernel/values/mailbox.ts'
import { prefixOf } from '../../kernel/values/prefix.ts'
import type { Filter } from '../../resources/operation.ts'

/** Sealed personal values by which contacts can be found. The names of their blind indexes begin with these keys. */
export const LOOKUPS = {
  email: { attribute: 'email_address', purpose: 'contact.email' },
  first_name: { attribute: 'first_name', purpose: 'contact.first_name' },
  last_name: { attribute: 'last_name', purpose: 'contact.last_name' },
} as const

/** Number of letters in a blind index of the beginning of a value. */
const LETTERS = 2

/** Blind indexes of these values and of their first letters, by the fields that hold them. */
export const DIGESTS = {
  email_digest: { ...LOOKUPS.email, spelled: mailboxOf },
  first_name_digest: LOOKUPS.first_name,
  last_name_digest: LOOKUPS.last_name,
  email_beginning: {
    attribute: 'email_address',
    purpose: 'contact.email.beginning',
    letters: LETTERS,
    spelled: mailboxOf,
  },
  first_name_beginning: { attribute: 'first_name', purpose: 'contact.first_name.beginning', letters: LETTERS },
  last_name_beginning: { attribute: 'last_name', purpose: 'contact.last_name.beginning', letters: LETTERS },
} as const

/** Purpose of the digests for finding contacts by e-mail address. */
export const EMAIL_DIGEST = LOOKUPS.email.purpose

/** Filter of contacts by their e-mail address, in any of its spellings. */
export const emailFilter: Filter = { type: 'digest', field: 'email_digest', purpose: EMAIL_DIGEST, keptAs: mailboxOf }

/** Returns the digest by which contacts with an e-mail address are found, in any of its spellings. */
export const emailDigest = (email: string, vault: Pick<Vault, 'token'>): string =>
  vault.token(EMAIL_DIGEST, mailboxOf(email))

/** Returns the indexed first letters of every value that begins with this text; `undefined` if the text is too short. */
export const indexedPrefix = (value: string): string | undefined => prefixOf(value, LETTERS)

/** Blind indexes that no filter of the list covers. Stored filters search by them, so they need database indexes of their own. */
export const LOOKUP_FIELDS: readonly string[] = Object.keys(DIGESTS).filter((field) => field !== 'email_digest')

/** Returns the conditions under which contacts are found by the beginning of their first or last name. A name of a single letter is found whole. */
export const nameConditions = (
  text: string,
  vault: Pick<Vault, 'token'>,
): readonly Readonly<Record<string, string>>[] => {
  const beginning = indexedPrefix(text)
  return (['first_name', 'last_name'] as const).map((name) => {
    const { purpose } = LOOKUPS[name]
    return beginning === undefined
      ? { [`${name}_digest`]: vault.token(purpose, text) }
      : { [`${name}_beginning`]: vault.token(`${purpose}.beginning`, beginning) }
  })
}
