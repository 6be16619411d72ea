import { Type } from 'typebox'
import type { FieldTable } from '../kernel/model/field.ts'
import { flag, text } from '../kernel/model/fields.ts'
import { recordOf } from '../kernel/model/fold.ts'
import type { AudienceTranslator } from '../kernel/ports/external-services.ts'
import { inStretches } from '../kernel/ports/read-on.ts'
import type { JsonObject } from '../kernel/values/event.ts'
import { Refusal, refuse } from '../kernel/values/refusal.ts'
import { allows } from '../kernel/values/scopes.ts'
import { asSent } from '../resources/attributes/as-sent.ts'
import { missingScope } from '../resources/missing-scope.ts'
import type { Instead, Shown, WriteInput } from '../resources/operation.ts'
import { read } from '../resources/operations.ts'
import type { ReadInput } from '../resources/read-operation.ts'
import { idCounterOf, type Resource } from '../resources/resource.ts'
import { nullable, nullableString } from '../resources/schemas.ts'
import { workspaceOf } from '../resources/workspace-of.ts'
import { creates } from '../resources/writes.ts'
import { checkCriteria, loadOptions } from './criteria/check.ts'
import {
  type Conjunction,
  type FilterState,
  type Proposed,
  presentCriterion,
  proposedFrom,
} from './criteria/criterion.ts'
import { openFilter, sealProposed } from './criteria/sealing.ts'
import { catalogue } from './criteria/vocabulary.ts'
import { parseDescription } from './language/parse.ts'
import { type NamedTag, TagNames } from './language/tag-names.ts'
import { refineFilterResource } from './refine-filter/index.ts'
import { criteriaSchema, refineFilter } from './refine-filter/model.ts'
import type { Proposal } from './refine-filter/rules.ts'
import { tokenState } from './select.ts'

const answerSchema = Type.Object({
  id: nullable(Type.Integer()),
  public_id: nullableString,
  workspace_id: nullable(Type.Integer()),
  name: nullableString,
  stable_id: Type.String({ description: 'Token for lists of contacts' }),
  filter: Type.Object({ conjunction: refineFilter.attributes.conjunction.schema, criteria: criteriaSchema }),
})

const fields: FieldTable = {
  text: asSent(Type.String({ minLength: 1, pattern: '\\S' }), 'Whom you mean, in plain words'),
  save: flag({ default: false, nullable: false, about: 'true: stores the filter as well' }),
  name: text({ nullable: true, about: 'Of the stored filter' }),
}

const answer = (stored: JsonObject, state: FilterState, pack: ReadInput['pack']): JsonObject => ({
  ...stored,
  stable_id: pack(tokenState(state)),
  filter: { conjunction: state.conjunction, criteria: state.criteria.map(presentCriterion) },
})

type Translation = { readonly conjunction: Conjunction; readonly criteria: readonly Proposed[] }

/** Number of tags that are read at a time. */
const BATCH = 500

/** Yields all tags of the workspace in batches. Other requests are served between them. */
async function* tagsOf({ read: reader, owner }: WriteInput): AsyncGenerator<readonly NamedTag[]> {
  const query = { where: { workspace_id: owner!.id }, limit: BATCH }
  for await (const found of inStretches((next) => reader.find('contacts/tag', next), query))
    yield found.map(({ public_id, name }) => ({ publicId: String(public_id), name: String(name) }))
}

const translateByService = async (description: string, translator: AudienceTranslator, input: WriteInput) => {
  const tags: JsonObject[] = []
  for await (const batch of tagsOf(input)) tags.push(...batch.map(({ publicId, name }) => ({ id: publicId, name })))
  return translator.translate(description, { attributes: catalogue(), tags })
}

const translateByRules = async (description: string, input: WriteInput) => {
  const tags = new TagNames()
  for await (const batch of tagsOf(input)) tags.add(batch)
  return parseDescription(description, { tags })
}

/** Translates a description with the configured translator, or by the fixed rules without one. The caller checks the result in both cases. */
const translate = async (description: string, input: WriteInput): Promise<Translation | Refusal> => {
  const { external, parseId } = input
  const state = external.audiences
    ? await translateByService(description, external.audiences, input)
    : await translateByRules(description, input)
  if (state instanceof Refusal) return state
  const criteria = proposedFrom(state.criteria, parseId) ?? []
  if (criteria.length === 0) return refuse.invalid('No filter could be made of the text', 'text', 'invalid')
  return { conjunction: state.conjunction === 'or' ? 'or' : 'and', criteria }
}

/** Translates the description of a request, and checks the outcome against all rules. */
const translated = async (input: WriteInput): Promise<(Translation & { readonly checked: FilterState }) | Refusal> => {
  const { text: description } = input.fields
  if (typeof description !== 'string' || description.trim() === '') {
    return refuse.malformed('param is missing or the value is empty: text', 'text', 'missing')
  }
  const translation = await translate(description, input)
  if (translation instanceof Refusal) return translation
  const { conjunction, criteria: proposed } = translation
  const { criteria, details } = checkCriteria(proposed, 'all', await loadOptions(proposed, input.read))
  return details.length > 0 ? refuse.invalidFields(details) : { ...translation, checked: { conjunction, criteria } }
}

const wanted = async (input: WriteInput): Promise<JsonObject | Refusal> => {
  if (!allows(input.caller.scopes, 'contacts', 'write')) return missingScope('contacts:write')
  const translation = await translated(input)
  if (translation instanceof Refusal) return translation
  const { conjunction, criteria: proposed } = translation
  const criteria = await sealProposed(proposed, {
    workspaceId: workspaceOf(input),
    read: input.read,
    vault: input.vault,
  })
  const proposal: Proposal = { conjunction, criteria, rules: 'all' }
  const { name } = input.fields
  return { name: typeof name === 'string' ? name : null, proposal }
}

const NOT_SAVED: JsonObject = { id: null, public_id: null, workspace_id: null, name: null }

/** A filter is stored if that is asked for. Otherwise it is only made of the description. */
const notSaved: Instead = {
  answers: 201,
  schema: answerSchema,
  when: ({ fields }) => fields.save !== true,
  async of(input, pack) {
    const translation = await translated(input)
    return translation instanceof Refusal ? translation : answer(NOT_SAVED, translation.checked, pack)
  },
}

const shown: Shown = {
  schema: answerSchema,
  async of(document, load, pack) {
    const stored = recordOf(refineFilter)(document)
    const { id, public_id, workspace_id, name } = stored
    const opened = await openFilter(stored, (person, sealed) => load.open(person, sealed))
    return answer({ id, public_id, workspace_id, name }, opened, pack)
  },
}

const ROOT = 'contacts_filter'

const generates = creates('/workspaces/{workspace_id}/contacts/filters', {
  summary: 'Makes a contact filter of a description',
  level: 'read',
  body: { root: null, fields, mode: 'create' },
  wanted,
  instead: notSaved,
  shows: shown,
})

/** Contacts::Filter: contact filters made from a description in plain words, by fixed rules or by the translator that the operator configured. */
export const contactFilter: Resource = {
  ...refineFilterResource,
  name: 'contacts/filter',
  ids: idCounterOf(refineFilterResource),
  spelledAs: refineFilter.name,
  title: 'Contacts::Filter',
  root: ROOT,
  operations: {
    getContactFilter: read('/contacts/filters/{id}', {
      shows: shown,
      summary: 'A stored filter with its token',
    }),
    generateContactFilter: generates({ model: refineFilter, role: undefined, root: ROOT, ownedBy: undefined }),
  },
}
