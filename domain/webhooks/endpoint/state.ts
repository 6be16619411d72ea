import type { Happened } from '../../kernel/decider.ts'
import type { EndpointEvent } from './events.ts'

/** What decisions about an endpoint need. */
export interface EndpointState {
  readonly status: 'absent' | 'enabled' | 'disabled' | 'removed'
  readonly name: string
  readonly url: string
  readonly eventTypeIds: readonly string[]
  readonly pageIds: readonly number[] | null
  readonly funnelIds: readonly number[] | null
  readonly failingSince: string | null
  /** Redeliveries that were asked for and not yet ordered in full. */
  readonly redeliveries: readonly number[]
}

export const initial: EndpointState = {
  status: 'absent',
  name: '',
  url: '',
  eventTypeIds: [],
  pageIds: null,
  funnelIds: null,
  failingSince: null,
  redeliveries: [],
}

export const evolve = (state: EndpointState, event: Happened<EndpointEvent>): EndpointState => {
  switch (event.type) {
    case 'WebhookEndpointRegistered': {
      const { name, url, event_type_ids: eventTypeIds, page_ids: pageIds, funnel_ids: funnelIds } = event.data
      return { ...state, status: 'enabled', name, url, eventTypeIds, pageIds, funnelIds }
    }
    case 'WebhookEndpointRenamed':
      return { ...state, name: event.data.name }
    case 'WebhookEndpointRedirected':
      return { ...state, url: event.data.url }
    case 'WebhookEndpointSubscribed':
      return { ...state, eventTypeIds: event.data.event_type_ids }
    case 'WebhookEndpointScoped':
      return { ...state, pageIds: event.data.page_ids, funnelIds: event.data.funnel_ids }
    case 'WebhookEndpointFailing':
      return { ...state, failingSince: event.data.since }
    case 'WebhookEndpointRecovered':
      return { ...state, failingSince: null }
    case 'WebhookEndpointDisabled':
      return { ...state, status: 'disabled' }
    case 'WebhookEndpointEnabled':
      return { ...state, status: 'enabled', failingSince: null }
    case 'WebhookRedeliveryRequested':
      return { ...state, redeliveries: [...state.redeliveries, event.data.redelivery_id] }
    case 'WebhookRedeliveryOrdered':
      return { ...state, redeliveries: state.redeliveries.filter((id) => id !== event.data.redelivery_id) }
    case 'WebhookEndpointRemoved':
      return { ...state, status: 'removed' }
    case 'WebhookEndpointSecretRotated':
    case 'WebhookEndpointPinged':
      return state
  }
}
