import type { DomainEvent, RecordedEvent } from '../../kernel/event.ts'
import type { Documents } from '../../kernel/resource.ts'
import type { OpportunityEvent } from './events.ts'

const STREAM = 'sales/opportunity-'

export const opportunityDocuments: Documents = {
  version: 1,
  evolve(document, recorded: RecordedEvent) {
    const event = recorded as RecordedEvent & OpportunityEvent
    switch (event.type) {
      case 'OpportunityOpened':
        return { ...event.data, closed_at: null }
      case 'OpportunityStaged': {
        const { from_stage_id: _, ...place } = event.data
        return { ...document, ...place }
      }
      case 'OpportunityClosed':
        return { ...document, closed_at: event.data.closed_at }
      case 'OpportunityReopened':
        return { ...document, closed_at: null }
      case 'OpportunityRemoved':
        return undefined
      case 'NoteWritten':
      case 'NoteRevised':
      case 'NoteRemoved':
        return document
      default:
        return { ...document, ...event.data }
    }
  },
  indexes: [{ fields: ['pipelines_stage_id'] }, { fields: ['workspace_id', 'pipelines_stage_id'], sort: 'sort_order' }],
}

const notesTouched = (event: OpportunityEvent): readonly number[] => {
  switch (event.type) {
    case 'NoteWritten':
    case 'NoteRevised':
    case 'NoteRemoved':
      return [event.data.note_id]
    case 'OpportunityRemoved':
      return event.data.note_ids
    default:
      return []
  }
}

export const noteDocuments: Documents = {
  version: 1,
  touches: (event: DomainEvent) => notesTouched(event as OpportunityEvent),
  evolve(document, recorded) {
    const event = recorded as RecordedEvent & OpportunityEvent
    if (event.type === 'NoteRemoved' || event.type === 'OpportunityRemoved') return undefined
    if (event.type !== 'NoteWritten' && event.type !== 'NoteRevised') return document
    const { note_id: _, ...note } = event.data
    return { ...document, ...note, opportunity_id: Number(event.stream.slice(STREAM.length)) }
  },
  indexes: [{ fields: ['opportunity_id'] }],
  aggregateId: (document) => Number(document.opportunity_id),
}
