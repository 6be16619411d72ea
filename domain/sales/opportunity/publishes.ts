import type { DomainEvent } from '../../kernel/event.ts'
import type { Publications } from '../../kernel/publication.ts'

const stages = ({ data }: DomainEvent) => ({
  from_stage_id: data.from_stage_id ?? null,
  to_stage_id: data.pipelines_stage_id ?? null,
})

/** What subscribers learn of opportunities. */
export const opportunityPublishes: Publications = {
  '$sales.opportunity_created': {
    on: ['OpportunityOpened'],
    about: 'An opportunity was created.',
    alias: 'sales/opportunity.created',
  },
  '$sales.opportunity_updated': {
    on: [
      'OpportunityRenamed',
      'OpportunityValued',
      'OpportunityAssigned',
      'OpportunityContactReplaced',
      'OpportunityStaged',
      'OpportunityClosed',
      'OpportunityReopened',
    ],
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
    when: (event) => event.data.first === true,
    about: 'An opportunity was closed for the first time; reopening and closing it again does not count.',
    alias: 'sales/opportunity.closed',
  },
  '$sales.contact_entered_stage': {
    on: ['OpportunityOpened', 'OpportunityStaged'],
    about: 'The primary contact of an opportunity entered a stage; `details` has it, and the one before.',
    details: stages,
  },
  '$sales.contact_exited_stage': {
    on: ['OpportunityStaged'],
    about: 'The primary contact of an opportunity left a stage for another; `details` has both.',
    details: stages,
  },
}
