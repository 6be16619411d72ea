import { contact, LOOKUPS } from '../../contacts/contact/model.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { keyOfWorkspace } from '../../kernel/model/personal.ts'
import type { Vault } from '../../kernel/ports/vault.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { textOf } from '../../kernel/values/text-of.ts'
import { objectOf } from '../../resources/attributes/as-sent.ts'
import { hasText, MOST_CRITERIA } from './check.ts'
import type { Criterion, FilterState, Proposed, SealedValue } from './criterion.ts'
import { attributeOf, VALUELESS } from './vocabulary.ts'

/** What conditions are sealed with. */
export interface Sealing {
  readonly workspaceId: number
  readonly read: FactReader
  readonly vault: Pick<Vault, 'seal' | 'token'>
}

/** Clauses that a whole address names somebody with. */
const NAMING: ReadonlySet<string> = new Set(['eq', 'dne'])

/** So many contacts who have, or had, one address are looked at. */
const MOST_NAMED = 20

/**
 * Under whose key a value is sealed: that of the contact whom an e-mail address names, so that erasing the contact erases the value as well; what
 * tells of nobody who is known, under that of the workspace.
 */
const keyFor = async (
  { attribute, clause, value }: Readonly<Record<string, Json | undefined>>,
  { workspaceId, read, vault }: Sealing,
): Promise<number> => {
  const { attribute: address, purpose } = LOOKUPS.email
  if (attribute !== address || !NAMING.has(textOf(clause))) return keyOfWorkspace(workspaceId)
  const named = { email_digest: vault.token(purpose, String(value)) }
  const where = { workspace_id: workspaceId, listed: { $in: [true, false] }, ...named }
  const found = await read.find(contact.name, { where, limit: MOST_NAMED })
  // An address is free again when its contact is deleted.
  const person = found.find(({ deleted_at }) => deleted_at === null) ?? found[0]
  return person ? Number(person.id) : keyOfWorkspace(workspaceId)
}

const sealOne = async (proposed: Proposed, sealing: Sealing): Promise<Proposed> => {
  const { value, ...entry } = objectOf(proposed.entry)
  const isPersonal = typeof entry.attribute === 'string' && attributeOf(entry.attribute)?.personal === true
  if (!isPersonal || VALUELESS.has(textOf(entry.clause)) || !hasText(value)) return proposed
  const of = await keyFor({ ...entry, value }, sealing)
  const text = await sealing.vault.seal(of, { value: String(value) })
  return { ...proposed, entry: entry as JsonObject, sealed: { text, of } }
}

/**
 * Conditions whose personal values are sealed, before they go anywhere: into the log, into documents, or into what a request still has to do. What is
 * not well-formed stays as it is, and is refused, as too many are.
 */
export const sealProposed = async (proposed: readonly Proposed[], sealing: Sealing): Promise<readonly Proposed[]> =>
  proposed.length > MOST_CRITERIA ? proposed : Promise.all(proposed.map((one) => sealOne(one, sealing)))

/** Opens what was sealed under a key; `null` where that has been destroyed, or may not be used. */
type Open = Vault['open']

const opened = async ({ text, of }: SealedValue, open: Open): Promise<string> => {
  const value = (await open(of, text))?.value
  return typeof value === 'string' ? value : ''
}

/** Conditions with their values in the clear; an empty text where the person whom it named has been erased. */
export const openCriteria = (criteria: readonly Criterion[], open: Open): Promise<readonly Criterion[]> =>
  Promise.all(
    criteria.map(
      async ({ sealed, ...criterion }): Promise<Criterion> =>
        sealed ? { ...criterion, value: await opened(sealed, open) } : (criterion as Criterion),
    ),
  )

/** A filter with the values of its conditions in the clear. */
export const openFilter = async ({ conjunction, criteria }: FilterState, open: Open): Promise<FilterState> => ({
  conjunction,
  criteria: await openCriteria(criteria, open),
})
