import { amount, type FieldTable, longText, moment, reference, text } from '../../kernel/fields.ts'
import type { Owner, Resource, WriteInput } from '../../kernel/resource.ts'
import { byId, change, create, idFilter, list, remove, show, workspace } from '../../kinds/operations.ts'
import { basics } from '../../kinds/record.ts'
import { opportunityAggregate } from './aggregate.ts'
import type { NoteFields, OpportunityCommand, OpportunityFields } from './decide.ts'
import { noteDocuments, opportunityDocuments } from './documents.ts'
import { opportunityPublishes } from './publishes.ts'
import { noteView, opportunityView } from './views.ts'

const fields: FieldTable = {
  name: text({ required: true }),
  pipelines_stage_id: reference('sales/pipelines/stage', { required: true }),
  primary_contact_id: reference('contact', { required: true }),
  value: amount({ nullable: true, about: "In the workspace's default currency" }),
  closed_at: moment({ nullable: true }),
  assignee_id: reference('membership', { nullable: true, about: 'A membership of the team; null unassigns' }),
}

const opportunityCommand =
  (type: 'OpenOpportunity' | 'ChangeOpportunity') =>
  (input: WriteInput): OpportunityCommand => ({
    type,
    workspaceId: Number(input.owner?.id ?? input.document?.workspace_id),
    fields: input.fields as OpportunityFields,
    ...basics(input),
  })

const OPPORTUNITIES = '/workspaces/{workspace_id}/sales/opportunities'

/** Sales::Opportunity: a possible sale to a contact, in a stage of a pipeline. */
export const opportunity: Resource = {
  name: 'sales/opportunity',
  tag: 'Sales::Opportunity',
  root: 'sales_opportunity',
  category: 'opportunities',
  under: workspace,
  aggregate: opportunityAggregate,
  documents: opportunityDocuments,
  view: opportunityView,
  publishes: opportunityPublishes,
  person: (document) => Number(document.primary_contact_id),
  operations: {
    listSalesOpportunities: list(OPPORTUNITIES, {
      filters: {
        id: byId,
        pipeline_id: idFilter('pipeline_id'),
        pipelines_stage_id: idFilter('pipelines_stage_id'),
        primary_contact_id: idFilter('primary_contact_id'),
        assignee_id: idFilter('assignee_id'),
      },
      sorts: ['id', 'updated_at', 'sort_order'],
    }),
    createSalesOpportunities: create(OPPORTUNITIES, 'sales_opportunity', fields, {
      command: opportunityCommand('OpenOpportunity'),
    }),
    getSalesOpportunities: show('/sales/opportunities/{id}'),
    updateSalesOpportunities: change('/sales/opportunities/{id}', 'sales_opportunity', fields, {
      command: opportunityCommand('ChangeOpportunity'),
    }),
    removeSalesOpportunities: remove('/sales/opportunities/{id}', {
      command: (input): OpportunityCommand => ({ type: 'RemoveOpportunity', ...basics(input) }),
    }),
  },
}

const noteFields: FieldTable = {
  content: longText({ required: true }),
  created_by_id: reference('membership', { about: "Default: the membership of the token's agent" }),
}
const underOpportunity: Owner = { param: 'opportunity_id', resource: 'sales/opportunity', field: 'opportunity_id' }
const NOTES = '/sales/opportunities/{opportunity_id}/notes'

/** Sales::Opportunities::Note, in its opportunity's stream. */
export const note: Resource = {
  name: 'sales/opportunities/note',
  tag: 'Sales::Opportunities::Note',
  root: 'sales_opportunities_note',
  category: 'opportunities',
  under: underOpportunity,
  aggregate: opportunityAggregate,
  documents: noteDocuments,
  view: noteView,
  operations: {
    listSalesOpportunitiesNotes: list(NOTES, { filters: { id: byId, created_by_id: idFilter('created_by_id') } }),
    createSalesOpportunitiesNotes: create(NOTES, 'sales_opportunities_note', noteFields, {
      command: (input): OpportunityCommand => ({
        type: 'WriteNote',
        noteId: input.id,
        fields: input.fields as NoteFields,
        ...basics(input),
      }),
    }),
    getSalesOpportunitiesNotes: show('/sales/opportunities/notes/{id}'),
    updateSalesOpportunitiesNotes: change('/sales/opportunities/notes/{id}', 'sales_opportunities_note', noteFields, {
      command: (input): OpportunityCommand => ({
        type: 'ReviseNote',
        noteId: input.id,
        fields: input.fields as NoteFields,
        ...basics(input),
      }),
    }),
    removeSalesOpportunitiesNotes: remove('/sales/opportunities/notes/{id}', {
      command: (input): OpportunityCommand => ({ type: 'RemoveNote', noteId: input.id, ...basics(input) }),
    }),
  },
}
