import { firstVersions } from '../../kernel/event-types.ts'

/** Storage formats. Money is a decimal string in the workspace's currency. */
export type OpportunityEvent =
  | {
      readonly type: 'OpportunityOpened'
      readonly data: {
        readonly name: string
        readonly pipeline_id: number
        readonly pipelines_stage_id: number
        readonly sort_order: number
        readonly primary_contact_id: number
        readonly value: string | null
        readonly assignee_id: number | null
      }
    }
  | { readonly type: 'OpportunityRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'OpportunityValued'; readonly data: { readonly value: string | null } }
  | { readonly type: 'OpportunityAssigned'; readonly data: { readonly assignee_id: number | null } }
  | { readonly type: 'OpportunityContactReplaced'; readonly data: { readonly primary_contact_id: number } }
  | {
      readonly type: 'OpportunityStaged'
      readonly data: {
        readonly pipeline_id: number
        readonly pipelines_stage_id: number
        readonly from_stage_id: number
        readonly sort_order: number
      }
    }
  /** `first` is true once in the life of an opportunity, however often it is reopened and closed again. */
  | { readonly type: 'OpportunityClosed'; readonly data: { readonly closed_at: string; readonly first: boolean } }
  | { readonly type: 'OpportunityReopened'; readonly data: Record<string, never> }
  | { readonly type: 'OpportunityRemoved'; readonly data: { readonly note_ids: readonly number[] } }
  | {
      readonly type: 'NoteWritten'
      readonly data: { readonly note_id: number; readonly content: string; readonly created_by_id: number | null }
    }
  | {
      readonly type: 'NoteRevised'
      readonly data: { readonly note_id: number; readonly content?: string; readonly created_by_id?: number | null }
    }
  | { readonly type: 'NoteRemoved'; readonly data: { readonly note_id: number } }

export const opportunityEvents = firstVersions<OpportunityEvent['type']>(
  'OpportunityOpened',
  'OpportunityRenamed',
  'OpportunityValued',
  'OpportunityAssigned',
  'OpportunityContactReplaced',
  'OpportunityStaged',
  'OpportunityClosed',
  'OpportunityReopened',
  'OpportunityRemoved',
  'NoteWritten',
  'NoteRevised',
  'NoteRemoved',
)
