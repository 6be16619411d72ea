import { contactWhole } from '../../contacts/public.ts'
import type { FactReader } from '../../kernel/decide/command.ts'
import { readerOver } from '../../kernel/decide/rules.ts'
import type { KnownEvent } from '../../kernel/model/event-types.ts'
import { settingEvents } from '../../kernel/model/model.ts'
import type { FoldedEvent, Json } from '../../kernel/values/event.ts'
import { parseStream } from '../../kernel/values/stream-name.ts'
import { crud } from '../../resources/crud.ts'
import { byId, idFilter, list, show, workspace } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape, named } from '../../resources/view.ts'
import { changes, creates, removes } from '../../resources/writes.ts'
import { stage } from '../pipeline/model.ts'
import { note, opportunity } from './model.ts'
import { opportunities } from './rules.ts'

const OPPORTUNITIES = '/workspaces/{workspace_id}/sales/opportunities'

const stages = ({ data }: KnownEvent<typeof opportunity>) => ({
  from_stage_id: data.from_stage_id ?? null,
  to_stage_id: data.pipelines_stage_id ?? null,
})

type OpportunityEvent = KnownEvent<typeof opportunity> & Pick<FoldedEvent, 'stream'>

/** Names the primary contact, and a stage with its pipeline, for conditions of workflow triggers. */
const inStage =
  (stageOf: (event: OpportunityEvent) => Json | undefined) =>
  async (event: OpportunityEvent, documents: FactReader) => {
    const read = readerOver(documents)
    const stageId = Number(stageOf(event))
    const [found, passed] = await Promise.all([
      read.one(opportunity, parseStream(event.stream).id),
      read.one(stage, stageId),
    ])
    return {
      contact_id: found?.primary_contact_id ?? null,
      conditions: {
        sales_pipelines_id: passed?.pipeline_id ?? null,
        current_sales_pipelines_stage_id: stageId,
      },
    }
  }

const NOTES = '/sales/opportunities/{opportunity_id}/notes'

/** Sales::Opportunities::Note. */
export const noteResource = serve(note, opportunities, {
  title: 'Sales::Opportunities::Note',
  root: 'sales_opportunities_note',
  category: 'opportunities',
  under: { param: 'opportunity_id', resource: 'sales/opportunity', field: 'opportunity_id' },
  operations: crud('SalesOpportunitiesNotes', NOTES, '/sales/opportunities/notes/{id}', {
    list: { filters: { id: byId, created_by_id: idFilter('created_by_id') } },
  }),
})

/** Sales::Opportunity, with its pipeline and stage, its contact and its notes. */
export const opportunityResource = serve(opportunity, opportunities, {
  title: 'Sales::Opportunity',
  root: 'sales_opportunity',
  category: 'opportunities',
  under: workspace,
  person: 'primary_contact_id',
  indexes: [{ fields: ['pipelines_stage_id'] }, { fields: ['workspace_id', 'pipelines_stage_id'], sort: 'sort_order' }],
  view: {
    pipeline: { one: 'pipeline_id', shows: named },
    pipelines_stage: { one: 'pipelines_stage_id', shows: named },
    primary_contact: { one: 'primary_contact_id', shows: contactWhole },
    notes: { children: 'notes', shows: embeddedShape(noteResource, 'opportunity_id'), orNull: true },
  },
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
    createSalesOpportunities: creates(OPPORTUNITIES),
    getSalesOpportunities: show('/sales/opportunities/{id}'),
    updateSalesOpportunities: changes('/sales/opportunities/{id}'),
    removeSalesOpportunities: removes('/sales/opportunities/{id}'),
  },
  publishes: {
    '$sales.opportunity_created': {
      on: ['OpportunityOpened'],
      about: 'An opportunity was created.',
      alias: 'sales/opportunity.created',
    },
    '$sales.opportunity_updated': {
      on: settingEvents(opportunity),
      unlessWith: ['OpportunityOpened'],
      about: 'A field of an opportunity changed, its stage included.',
      alias: 'sales/opportunity.updated',
    },
    '$sales.opportunity_deleted': {
      on: ['OpportunityRemoved'],
      about: 'An opportunity was deleted; `data` shows it as it last was.',
      alias: 'sales/opportunity.deleted',
    },
    '$sales.opportunity_moved_stage': {
      on: ['OpportunityStaged'],
      about: 'An opportunity moved to another stage; `details` has both stages.',
      alias: 'sales/opportunity.moved_stage',
      details: stages,
    },
    '$sales.opportunity_closed': {
      on: ['OpportunityClosed'],
      when: ({ data }) => data.first === true,
      about: 'An opportunity was closed for the first time; reopening and closing it again does not count.',
      alias: 'sales/opportunity.closed',
    },
    '$sales.contact_entered_stage': {
      on: ['OpportunityOpened', 'OpportunityStaged'],
      about: 'The primary contact of an opportunity entered a stage; `details` has it, and the one before.',
      details: stages,
      concerns: inStage(({ data }) => data.pipelines_stage_id),
    },
    '$sales.contact_exited_stage': {
      on: ['OpportunityStaged'],
      about: 'The primary contact of an opportunity left a stage for another; `details` has both.',
      details: stages,
      concerns: inStage(({ data }) => data.from_stage_id),
    },
  },
})
