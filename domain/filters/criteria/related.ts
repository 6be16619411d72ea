import type { Documents } from '../../kernel/decide/command.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Selection } from '../../resources/operation.ts'
import type { Criterion } from './criterion.ts'
import { type Attribute, attributeOf } from './vocabulary.ts'

/** Field in which other records name the contact. */
const CONTACT = 'contact_id'

/** Combinations of contacts and options that are looked up together. */
const AT_ONCE = 2000

/** Options of conditions on one attribute that other records decide. */
interface Wanted extends NonNullable<Attribute['related']> {
  readonly field: string
  readonly ids: readonly number[]
}

const wantedBy = ({ attribute, ids }: Criterion): Wanted | undefined => {
  const { related, field } = attributeOf(attribute) ?? {}
  return related && field !== undefined && ids ? { ...related, field, ids } : undefined
}

/** Joins the options of all conditions on the same attribute. */
const wantedByAll = (criteria: readonly Criterion[]): readonly Wanted[] => {
  const byField = new Map<string, Wanted>()
  for (const one of criteria.flatMap((criterion) => wantedBy(criterion) ?? [])) {
    const known = byField.get(one.field)?.ids ?? []
    byField.set(one.field, { ...one, ids: [...new Set([...known, ...one.ids])] })
  }
  return [...byField.values()]
}

const optionsOf = async (
  { collection, by, ids }: Wanted,
  contactIds: readonly number[],
  read: Documents,
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const options = new Map<number, number[]>()
  const together = Math.max(1, Math.floor(AT_ONCE / contactIds.length))
  for (let from = 0; from < ids.length; from += together) {
    const where = { [by]: { $in: ids.slice(from, from + together) }, [CONTACT]: { $in: contactIds } }
    for (const one of await read.find(collection, { where })) {
      const contactId = Number(one[CONTACT])
      options.set(contactId, [...(options.get(contactId) ?? []), Number(one[by])])
    }
  }
  return options
}

/** Returns the function that notes with contacts which of the options they meet that other records decide; `undefined`: there are no such conditions. */
export const lookUpFor = (criteria: readonly Criterion[]): Selection['lookUp'] => {
  const wanted = wantedByAll(criteria)
  if (wanted.length === 0) return undefined
  return async (contacts, read) => {
    const ids = contacts.map(({ id }) => Number(id))
    const found = await Promise.all(wanted.map((one) => optionsOf(one, ids, read)))
    const optionsWith = (contact: Document) =>
      Object.fromEntries(wanted.map(({ field }, index) => [field, found[index]?.get(Number(contact.id)) ?? []]))
    return contacts.map((contact) => ({ ...contact, ...optionsWith(contact) }))
  }
}

/** Returns the records that lead to all contacts who meet a condition, if other records decide it. */
export const throughFor = (criterion: Criterion): Selection['through'] => {
  const wanted = wantedBy(criterion)
  if (!wanted || (criterion.clause !== 'eq' && criterion.clause !== 'in')) return undefined
  const { collection, by, ids } = wanted
  return { collection, by, ids, to: CONTACT }
}
