import { contact, emailDigest, LOOKUPS } from '../../contacts/contact/model.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { keyOfAddress, keyOfWorkspace, sealUnlessErased } from '../../kernel/model/personal.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import { hasText, MOST_CRITERIA } from './check.ts'
import type { Criterion, FilterState, Proposed, SealedValue } from './criterion.ts'
import { attributeOf, VALUELESS } from './vocabulary.ts'

/** Dependencies for sealing conditions. */
export interface Sealing {
  readonly workspaceId: number
  readonly read: FactReader
  readonly vault: Pick<Vault, 'seal' | 'token'>
}

/** Clauses whose value is a whole e-mail address and so identifies a contact. */
const NAMING: ReadonlySet<string> = new Set(['eq', 'dne'])

/**
 * Returns the key to seal a value with. An e-mail address is sealed with the key of the contact that has it, or else with a key of its own, so that
 * erasing the person also erases the value. Every other value is sealed with the key of the workspace.
 */
const keyFor = async (
  { attribute, clause, value }: Readonly<Record<string, Json | undefined>>,
  { workspaceId, read, vault }: Sealing,
): Promise<number> => {
  const { attribute: address } = LOOKUPS.email
  if (attribute !== address || !NAMING.has(textOf(clause))) return keyOfWorkspace(workspaceId)
  const named = { email_digest: emailDigest(String(value), vault) }
  const where = { workspace_id: workspaceId, listed: { $in: [true, false] }, ...named }
  // A deleted contact may share its address with a newer one, which comes first.
  const [kept] = await read.find(contact.name, { where: { ...where, deleted_at: null }, limit: 1 })
  const [person] = kept ? [kept] : await read.find(contact.name, { where, limit: 1 })
  return person ? Number(person.id) : keyOfAddress(vault, workspaceId, String(value))
}

const sealOne = async (proposed: Proposed, sealing: Sealing): Promise<Proposed> => {
  const { value, ...entry } = objectOf(proposed.entry)
  const isPersonal = typeof entry.attribute === 'string' && attributeOf(entry.attribute)?.personal === true
  if (!isPersonal || VALUELESS.has(textOf(entry.clause)) || !hasText(value)) return proposed
  const { vault, workspaceId } = sealing
  const personal = { value: String(value) }
  const of = await keyFor({ ...entry, value }, sealing)
  const text = await sealUnlessErased(vault, of, personal)
  if (text !== undefined) return { ...proposed, entry: entry as JsonObject, sealed: { text, of } }
  // The person who had the address was erased, and the client names it anew: the filter cannot work without it.
  const ofWorkspace = keyOfWorkspace(workspaceId)
  const again = await vault.seal(ofWorkspace, personal)
  return { ...proposed, entry: entry as JsonObject, sealed: { text: again, of: ofWorkspace } }
}

/**
 * Seals the personal values of conditions before they reach the log, documents or the follow-ups of a request. Malformed values, and all values of
 * a filter with too many conditions, stay as they are: the rules refuse them.
 */
export const sealProposed = async (proposed: readonly Proposed[], sealing: Sealing): Promise<readonly Proposed[]> =>
  proposed.length > MOST_CRITERIA ? proposed : Promise.all(proposed.map((one) => sealOne(one, sealing)))

/** Opens a sealed value; `null` when its key has been destroyed or may not be used. */
type Open = Vault['open']

const opened = async ({ text, of }: SealedValue, open: Open): Promise<string> => {
  const value = (await open(of, text))?.value
  return typeof value === 'string' ? value : ''
}

/** Returns conditions with their values in the clear. The value of an erased person is an empty text. */
export const openCriteria = (criteria: readonly Criterion[], open: Open): Promise<readonly Criterion[]> =>
  Promise.all(
    criteria.map(
      async ({ sealed, ...criterion }): Promise<Criterion> =>
        sealed ? { ...criterion, value: await opened(sealed, open) } : (criterion as Criterion),
    ),
  )

/** Returns a filter with the values of its conditions in the clear. */
export const openFilter = async ({ conjunction, criteria }: FilterState, open: Open): Promise<FilterState> => ({
  conjunction,
  criteria: await openCriteria(criteria, open),
})
