import type { Origin } from '../kernel/react/publication.ts'
import type { EventType } from './catalog.ts'
import type { EndpointRecord } from './endpoint/model.ts'

type Subscription = Pick<EndpointRecord, 'event_type_ids' | 'page_ids' | 'funnel_ids'>

const within = (scope: readonly number[] | null, id: number | null): boolean =>
  scope === null || (id !== null && scope.includes(id))

/** Returns the name by which an endpoint subscribes to a type: its key or the contract's alias; `undefined` when it does not. */
export const subscribedName = (
  { event_type_ids: ids }: Subscription,
  { key, publication }: EventType,
): string | undefined => {
  if (ids.includes(key)) return key
  return publication.alias !== undefined && ids.includes(publication.alias) ? publication.alias : undefined
}

/** Whether an endpoint subscribes to a type of event from an origin. An endpoint scoped to pages gets no events that come from no page. */
export const subscribes = (endpoint: Subscription, type: EventType, { page_id, funnel_id }: Origin): boolean =>
  subscribedName(endpoint, type) !== undefined &&
  within(endpoint.page_ids, page_id) &&
  within(endpoint.funnel_ids, funnel_id)
