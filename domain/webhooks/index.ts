import type { Family } from '../resources/family.ts'
import type { Resource } from '../resources/resource.ts'
import { eventTypesOf, subscribable, subscriptionKeys } from './catalog.ts'
import { endpointResource } from './endpoint/index.ts'
import { deliveryResource, outgoingEventResource } from './event/index.ts'
import { eventType } from './event-type.ts'

/** Outgoing webhooks over the public events that these resources, and endpoints themselves, declare. */
export const webhooks = (publishing: readonly Resource[]): Family => {
  const typesWith = (endpoint: Resource) => subscribable(eventTypesOf([...publishing, endpoint]))
  const endpoint = endpointResource(subscriptionKeys(typesWith(endpointResource([]))))
  const types = typesWith(endpoint)
  return { resources: [endpoint, outgoingEventResource(types), deliveryResource, eventType(types)] }
}
