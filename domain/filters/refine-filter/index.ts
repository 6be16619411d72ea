import { Type } from 'typebox'
import type { FieldTable } from '../../kernel/field.ts'
import { text } from '../../kernel/fields.ts'
import type { Documents, Resource, WriteInput } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { change, create, list, remove, show, textFilter, workspace } from '../../kinds/operations.ts'
import { structure } from '../../kinds/structure.ts'
import { proposedFrom } from '../criteria/criterion.ts'
import { OPTION_COLLECTIONS } from '../criteria/vocabulary.ts'
import { type FilterWish, type RefineFilterCommand, refineFilterAggregate } from './aggregate.ts'
import { refineFilterView } from './view.ts'

const value = Type.Union([
  Type.String(),
  Type.Number(),
  Type.Boolean(),
  Type.Array(Type.Union([Type.String(), Type.Integer()])),
  Type.Object({ days: Type.Union([Type.String(), Type.Integer()]), modifier: Type.Enum(['ago', 'from_now']) }),
])
const criterion = Type.Object({ attribute: Type.String(), clause: Type.String(), value: Type.Optional(value) })

const changes: FieldTable = {
  name: text({ nullable: true, about: 'Unique within the workspace' }),
  conjunction: structure(Type.Enum(['and', 'or']), 'Only and is open to clients'),
  criteria: structure(Type.Array(criterion), 'At least one; replaces them all'),
}
const fields: FieldTable = { ...changes, filter_class: structure(Type.String(), 'ContactsFilter, the only one') }

const wishOf = ({ fields: sent, parseId }: WriteInput): FilterWish => ({
  ...(sent.name !== undefined && { name: sent.name as string | null }),
  ...(sent.filter_class !== undefined && { filterClass: sent.filter_class }),
  ...(sent.conjunction !== undefined && { conjunction: sent.conjunction }),
  ...(sent.criteria !== undefined && { criteria: proposedFrom(sent.criteria, parseId) ?? null }),
})

export const refineFilterDocuments: Documents = {
  version: 1,
  evolve: (document, event) => (event.type === 'FilterRemoved' ? undefined : { ...document, ...event.data }),
}

const FILTERS = '/workspaces/{workspace_id}/refine_filters'

/**
 * RefineFilter: a stored contact filter. Whoever refers to one that is removed keeps its id and acts without a filter. A page of
 * them is only made when `after` is sent: without it the whole set is the answer, as the contract has it.
 */
export const refineFilter: Resource = {
  name: 'refine_filter',
  tag: 'RefineFilter',
  root: 'refine_filter',
  category: 'contacts',
  under: workspace,
  aggregate: refineFilterAggregate,
  documents: refineFilterDocuments,
  view: refineFilterView,
  reads: OPTION_COLLECTIONS,
  operations: {
    listWorkspaceRefineFilters: list(FILTERS, {
      envelope: 'refine_filters',
      paged: 'onRequest',
      sorts: ['id'],
      filters: { name: textFilter('name') },
    }),
    createWorkspaceRefineFilter: create(FILTERS, 'refine_filter', fields, {
      command: (input): RefineFilterCommand => ({
        type: 'SaveFilter',
        workspaceId: Number(input.owner?.id),
        rules: 'open',
        wish: wishOf(input),
        ...basics(input),
      }),
    }),
    getRefineFilter: show('/refine_filters/{id}'),
    updateRefineFilter: {
      ...change('/refine_filters/{id}', 'refine_filter', changes, {
        command: (input): RefineFilterCommand => ({ type: 'ChangeFilter', wish: wishOf(input), ...basics(input) }),
      }),
      method: 'PATCH',
    },
    destroyRefineFilter: remove('/refine_filters/{id}', {
      command: (input): RefineFilterCommand => ({ type: 'RemoveFilter', ...basics(input) }),
    }),
  },
}
