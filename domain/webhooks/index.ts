import type { Resource } from '../kernel/resource.ts'
import { eventTypesOf, subscribable, subscriptionKeys } from './catalog.ts'
import { endpoint } from './endpoint/index.ts'
import { delivery, outgoingEvent } from './event/index.ts'
import { eventType } from './event-type.ts'

/** Outgoing webhooks over the public events that these resources, and endpoints themselves, declare. */
export const webhooks = (publishing: readonly Resource[]): readonly Resource[] => {
  const typesWith = (own: Resource) => subscribable(eventTypesOf([...publishing, own]))
  const own = endpoint((bare) => subscriptionKeys(typesWith(bare)))
  return [own, outgoingEvent, delivery, eventType(typesWith(own))]
}
