import type { Happened } from '../../kernel/decider.ts'
import { type ContactEvent, NOBODY, type Personal } from './events.ts'

export interface AppliedTag {
  readonly id: number
  readonly tagId: number
}

/** What decisions about a contact need. */
export interface ContactState {
  readonly status: 'absent' | 'live' | 'deleted' | 'redacted'
  readonly workspaceId: number
  readonly identified: boolean
  readonly unsubscribed: boolean
  readonly personal: Personal
  readonly timeZone: string | null
  readonly attributes: Readonly<Record<string, string>>
  readonly tags: readonly AppliedTag[]
}

export const initial: ContactState = {
  status: 'absent',
  workspaceId: 0,
  identified: false,
  unsubscribed: false,
  personal: NOBODY,
  timeZone: null,
  attributes: {},
  tags: [],
}

export const evolve = (state: ContactState, event: Happened<ContactEvent>): ContactState => {
  switch (event.type) {
    case 'ContactCreated':
      return {
        ...state,
        status: 'live',
        workspaceId: event.metadata.workspace_id ?? 0,
        personal: event.data.personal ?? NOBODY,
        timeZone: event.data.time_zone,
      }
    case 'ContactIdentified':
      return { ...state, identified: true }
    case 'ContactDetailsChanged':
      return { ...state, personal: event.data.personal ?? NOBODY }
    case 'ContactTimeZoneSet':
      return { ...state, timeZone: event.data.time_zone }
    case 'ContactAttributesSet':
      return { ...state, attributes: { ...state.attributes, ...event.data.attributes } }
    case 'ContactTagApplied':
      return { ...state, tags: [...state.tags, { id: event.data.applied_tag_id, tagId: event.data.tag_id }] }
    case 'ContactTagRemoved':
      return { ...state, tags: state.tags.filter(({ id }) => id !== event.data.applied_tag_id) }
    case 'ContactUnsubscribed':
      return { ...state, unsubscribed: true }
    case 'ContactDeleted':
      return { ...state, status: 'deleted' }
    case 'ContactRedacted':
      return { ...state, status: 'redacted', personal: NOBODY }
  }
}
