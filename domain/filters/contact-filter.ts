import { Type } from 'typebox'
import type { JsonObject } from '../kernel/event.ts'
import type { FieldTable } from '../kernel/field.ts'
import { flag, text } from '../kernel/fields.ts'
import { Refusal, refuse } from '../kernel/refusal.ts'
import type { CallInput, Resource } from '../kernel/resource.ts'
import { allows } from '../kernel/scopes.ts'
import { basics } from '../kinds/former.ts'
import { read, workspace } from '../kinds/operations.ts'
import { nullable, nullableString } from '../kinds/schemas.ts'
import { structure } from '../kinds/structure.ts'
import { checkCriteria, loadOptions } from './criteria/check.ts'
import {
  type Conjunction,
  type FilterState,
  type Proposed,
  presentCriterion,
  proposedFrom,
} from './criteria/criterion.ts'
import { catalogue } from './criteria/vocabulary.ts'
import { parseDescription } from './language/parse.ts'
import type { Names } from './language/phrase.ts'
import { namesForOutside } from './language/phrases.ts'
import { type RefineFilterCommand, refineFilterAggregate } from './refine-filter/aggregate.ts'
import { refineFilterDocuments } from './refine-filter/index.ts'
import { conjunctionSchema, criterionSchema, refineFilterView, stateOf } from './refine-filter/view.ts'
import { tokenState } from './select.ts'

const filterSchema = Type.Object({ conjunction: conjunctionSchema, criteria: Type.Array(criterionSchema) })
const answerSchema = Type.Object({
  id: nullable(Type.Integer()),
  public_id: nullableString,
  workspace_id: nullable(Type.Integer()),
  name: nullableString,
  stable_id: Type.String({ description: 'Token for lists of contacts' }),
  filter: filterSchema,
})

const fields: FieldTable = {
  text: structure(Type.String(), 'Whom you mean, in plain words'),
  save: flag({ default: false, nullable: false, about: 'true: stores the filter as well' }),
  name: text({ nullable: true, about: 'Of the stored filter' }),
}

const presentFilter = ({ conjunction, criteria }: FilterState): JsonObject => ({
  conjunction,
  criteria: criteria.map(presentCriterion),
})

interface Translated {
  readonly conjunction: Conjunction
  readonly proposed: readonly Proposed[]
}

/** By the translator outside where there is one, else by the fixed rules. Either way the result is checked like any other. */
const translate = async (
  description: string,
  names: Names,
  { outside, parseId }: CallInput,
): Promise<Translated | Refusal> => {
  const state = outside.audiences
    ? await outside.audiences.translate(description, { attributes: catalogue(), ...namesForOutside(names) })
    : parseDescription(description, names)
  if (state instanceof Refusal) return state
  const proposed = proposedFrom(state.criteria, parseId)
  if (!proposed || proposed.length === 0)
    return refuse.invalid('No filter could be made of the text', 'text', 'invalid')
  return { conjunction: state.conjunction === 'or' ? 'or' : 'and', proposed }
}

const namesOf = async ({ read: reader, owner }: CallInput): Promise<Names> => {
  const tags = await reader.find('contacts/tag', { where: { workspace_id: owner!.id } })
  return { tags: tags.map(({ public_id, name }) => ({ publicId: String(public_id), name: String(name) })) }
}

const save = async (input: CallInput, { conjunction, proposed }: Translated): Promise<Refusal | JsonObject> => {
  const name = typeof input.fields.name === 'string' ? input.fields.name : null
  const command: RefineFilterCommand = {
    type: 'SaveFilter',
    workspaceId: Number(input.owner?.id),
    rules: 'all',
    wish: { name, conjunction, criteria: proposed },
    ...basics(input),
  }
  const refusal = await input.transact(refineFilterAggregate, input.id, command)
  return (
    refusal ?? {
      id: input.id,
      public_id: input.publicId(input.id, 'refine_filter'),
      workspace_id: input.owner?.id ?? null,
      name,
    }
  )
}

const NOT_SAVED: JsonObject = { id: null, public_id: null, workspace_id: null, name: null }

const generate = async (input: CallInput): Promise<JsonObject | Refusal> => {
  const { text: description, save: saving } = input.fields
  if (typeof description !== 'string' || description.trim() === '') {
    return refuse.malformed('param is missing or the value is empty: text', 'text', 'missing')
  }
  if (saving === true && !allows(input.caller.scopes, 'contacts', 'write')) {
    return refuse.forbidden('this token lacks the scope contacts:write')
  }
  const translated = await translate(description, await namesOf(input), input)
  if (translated instanceof Refusal) return translated
  const { conjunction, proposed } = translated
  const { criteria, details } = checkCriteria(
    proposed,
    'all',
    await loadOptions(proposed, input.read, Number(input.owner?.id)),
  )
  if (details.length > 0) return refuse.invalidFields(details)
  const stored = saving === true ? await save(input, translated) : NOT_SAVED
  if (stored instanceof Refusal) return stored
  const state = { conjunction, criteria }
  return { ...stored, stable_id: input.pack(tokenState(state)), filter: presentFilter(state) }
}

/** Contacts::Filter: contact filters made from plain words, by fixed rules or by a model that the operator has configured. */
export const contactFilter: Resource = {
  name: 'contacts/filter',
  tag: 'Contacts::Filter',
  root: 'contacts_filter',
  category: 'contacts',
  under: workspace,
  aggregate: refineFilterAggregate,
  documents: refineFilterDocuments,
  view: refineFilterView,
  operations: {
    getContactFilter: read('/contacts/filters/{id}', {
      schema: answerSchema,
      summary: 'A stored filter with its token',
      async read({ document, pack }) {
        const { id, public_id, workspace_id, name } = document!
        const state = stateOf(document!)
        return { id, public_id, workspace_id, name, stable_id: pack(tokenState(state)), filter: presentFilter(state) }
      },
    }),
    generateContactFilter: {
      kind: 'call',
      method: 'POST',
      path: '/workspaces/{workspace_id}/contacts/filters',
      summary: 'Makes a contact filter of a description',
      level: 'read',
      body: { root: null, fields, mode: 'create' },
      schema: answerSchema,
      answers: 201,
      call: generate,
    },
  },
}
