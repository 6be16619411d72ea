import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/values/event.ts'
import { asSent } from '../../resources/attributes/as-sent.ts'
import { NAME_INDEX, nameFilter } from '../../resources/attributes/unique-name.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { workspaceOf } from '../../resources/workspace-of.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { MOST_CRITERIA, MOST_OPTIONS } from '../criteria/check.ts'
import { presentCriterion, proposedFrom } from '../criteria/criterion.ts'
import { openCriteria, sealProposed } from '../criteria/sealing.ts'
import { OPTION_COLLECTIONS } from '../criteria/vocabulary.ts'
import { CONTACTS, criteriaSchema, refineFilter } from './model.ts'
import { refineFilters } from './rules.ts'

const value = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String(), Type.Integer()]), { maxItems: MOST_OPTIONS }),
  Type.Object({ days: Type.Union([Type.String(), Type.Integer()]), modifier: Type.Enum(['ago', 'from_now']) }),
])
const criterion = Type.Object({
  attribute: Type.String({ minLength: 1 }),
  clause: Type.String({ minLength: 1 }),
  value: Type.Optional(value),
})

const input = {
  conjunction: asSent(Type.Enum(['and']), 'Or is not open to clients'),
  criteria: asSent(Type.Array(criterion, { minItems: 1, maxItems: MOST_CRITERIA }), 'At least one; replaces them all'),
}

const proposedIn = async (input: WriteInput) => {
  const { fields, parseId, read, vault } = input
  const proposed = proposedFrom(fields.criteria, parseId)
  return proposed ? sealProposed(proposed, { workspaceId: workspaceOf(input), read, vault }) : null
}

const wanted = async (input: WriteInput): Promise<JsonObject> => {
  const { name, criteria, ...others } = input.fields
  return {
    ...(name !== undefined && { name }),
    proposal: { ...others, ...(criteria !== undefined && { criteria: await proposedIn(input) }) },
  }
}

const FILTERS = '/workspaces/{workspace_id}/refine_filters'

/**
 * RefineFilter: a stored contact filter. A split of a funnel loses a filter that is removed; one by which a workflow splits is not removed. Actions on many contacts hold a copy of theirs. Filters that came with one request can only be read by id. The list is paged only when
 * `after` is sent; without it the answer holds all filters, as the contract requires.
 */
export const refineFilterResource = serve(refineFilter, refineFilters, {
  title: 'RefineFilter',
  root: 'refine_filter',
  category: 'contacts',
  under: workspace,
  reads: [...OPTION_COLLECTIONS, 'workflow', 'workflows/step', 'workflows/version'],
  indexes: [NAME_INDEX],
  view: {
    criteria: {
      schema: criteriaSchema,
      of: async ({ criteria }, load) =>
        (await openCriteria(criteria, (person, sealed) => load.open(person, sealed))).map(presentCriterion),
    },
  },
  operations: {
    listWorkspaceRefineFilters: list(FILTERS, {
      envelope: 'refine_filters',
      paged: 'onRequest',
      sorts: ['id'],
      where: { one_off: false },
      filters: { name: nameFilter },
    }),
    createWorkspaceRefineFilter: creates(FILTERS, {
      input: { ...input, filter_class: asSent(Type.Enum([CONTACTS]), 'The only one') },
      wanted,
    }),
    getRefineFilter: show('/refine_filters/{id}'),
    updateRefineFilter: changes('/refine_filters/{id}', {
      ...{ method: 'PATCH', input, wanted },
      consequence: 'changes whom everything reaches that goes by it',
    }),
    destroyRefineFilter: removes('/refine_filters/{id}'),
  },
})
