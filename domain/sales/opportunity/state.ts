import type { Happened } from '../../kernel/decider.ts'
import type { OpportunityEvent } from './events.ts'

export interface Note {
  readonly id: number
  readonly content: string
  readonly created_by_id: number | null
}

/** What decisions about an opportunity need. */
export interface OpportunityState {
  readonly status: 'absent' | 'present' | 'removed'
  readonly name: string
  readonly pipelineId: number
  readonly stageId: number
  readonly contactId: number
  readonly value: string | null
  readonly assigneeId: number | null
  readonly closedAt: string | null
  readonly everClosed: boolean
  readonly notes: readonly Note[]
}

export const initial: OpportunityState = {
  status: 'absent',
  name: '',
  pipelineId: 0,
  stageId: 0,
  contactId: 0,
  value: null,
  assigneeId: null,
  closedAt: null,
  everClosed: false,
  notes: [],
}

export const evolve = (state: OpportunityState, event: Happened<OpportunityEvent>): OpportunityState => {
  switch (event.type) {
    case 'OpportunityOpened': {
      const {
        name,
        pipeline_id: pipelineId,
        pipelines_stage_id: stageId,
        primary_contact_id: contactId,
        value,
        assignee_id: assigneeId,
      } = event.data
      return { ...state, status: 'present', name, pipelineId, stageId, contactId, value, assigneeId }
    }
    case 'OpportunityRenamed':
      return { ...state, name: event.data.name }
    case 'OpportunityValued':
      return { ...state, value: event.data.value }
    case 'OpportunityAssigned':
      return { ...state, assigneeId: event.data.assignee_id }
    case 'OpportunityContactReplaced':
      return { ...state, contactId: event.data.primary_contact_id }
    case 'OpportunityStaged':
      return { ...state, pipelineId: event.data.pipeline_id, stageId: event.data.pipelines_stage_id }
    case 'OpportunityClosed':
      return { ...state, closedAt: event.data.closed_at, everClosed: true }
    case 'OpportunityReopened':
      return { ...state, closedAt: null }
    case 'OpportunityRemoved':
      return { ...state, status: 'removed', notes: [] }
    case 'NoteWritten':
      return {
        ...state,
        notes: [
          ...state.notes,
          { id: event.data.note_id, content: event.data.content, created_by_id: event.data.created_by_id },
        ],
      }
    case 'NoteRevised': {
      const { note_id, ...revised } = event.data
      return { ...state, notes: state.notes.map((note) => (note.id === note_id ? { ...note, ...revised } : note)) }
    }
    case 'NoteRemoved':
      return { ...state, notes: state.notes.filter(({ id }) => id !== event.data.note_id) }
  }
}
