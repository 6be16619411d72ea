import { Type } from 'typebox'
import { contact } from '../../contacts/contact/model.ts'
import { contactFilters, filterTest } from '../../filters/public.ts'
import { group } from '../../kernel/model/fields.ts'
import { openDocument } from '../../kernel/model/personal.ts'
import { isJsonObject, type JsonObject } from '../../kernel/values/event.ts'
import { Refusal } from '../../kernel/values/refusal.ts'
import { namedRecord } from '../../resources/attributes/named-record.ts'
import { nullableInteger } from '../../resources/schemas.ts'
import { MATCHED, UNMATCHED } from '../../resources/tree/tree.ts'
import type { Choice } from './effect.ts'
import { isFilled, type Splitting, stepType } from './step-type.ts'

const flat = ({ condition }: JsonObject): JsonObject => {
  if (condition === null) return { filter_id: null }
  return isJsonObject(condition) && condition.filter_id !== undefined ? { filter_id: condition.filter_id } : {}
}

const choose: Splitting['choose'] = async ({ documents, vault }, { settings }, { contact_id }, at): Promise<Choice> => {
  const [filter, person] = await Promise.all([
    documents.get(contactFilters.resource, Number(settings.filter_id)),
    documents.get(contact.name, contact_id),
  ])
  if (!filter) return { why: 'the filter is gone' }
  if (!person) return { why: 'the contact is gone' }
  const test = await filterTest(vault, documents, filter, at)
  if (test instanceof Refusal) return { why: 'the filter is not one of contacts' }
  return { branch: (await test(await openDocument(vault, person))) ? MATCHED : UNMATCHED }
}

/** Chooses a branch by a stored filter. */
export const conditionalSplit = stepType('conditional_split_step', {
  fields: { condition: group({ filter_id: namedRecord('refine_filter', { nullable: true }) }, { nullable: true }) },
  refers: { filter_id: { to: 'refine_filter', foundBy: 'filter_id', isGivenUp: true, keptBy: 'filter_ids' } },
  initial: { filter_id: null },
  needs: ['filter_id'],
  flat,
  shown: {
    schema: Type.Object({ condition: Type.Object({ filter_id: nullableInteger, is_setup: Type.Boolean() }) }),
    of: ({ filter_id }) => ({ condition: { filter_id, is_setup: isFilled(filter_id) } }),
  },
  neverBlank: true,
  does: {
    kind: 'splits',
    names: ['matched', 'unmatched'],
    formerNames: ['match', 'fallback'],
    says: "branch must be 'matched' or 'unmatched'",
    isTriedOn: true,
    choose,
  },
  looksAround: true,
})
