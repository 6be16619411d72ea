import { recordOf } from '../../kernel/model/fold.ts'
import type { Loader } from '../../resources/view-types.ts'
import type { EventType } from '../catalog.ts'
import { endpoint } from '../endpoint/model.ts'
import { subscribedName } from '../matching.ts'
import { delivery, type OutgoingRecord } from './model.ts'

const openEndpoint = recordOf(endpoint)
const openDelivery = recordOf(delivery)

/**
 * Returns a function that gives the name of an event's type as the log shows it. It is the name in the deliveries (`event_type` of the
 * envelope), so that a client that knows only the contract's names can recover by the log. It is the name by which the endpoints of these
 * deliveries subscribe now, or the key when they use both names or none. The list can be filtered by either name.
 */
export const spellingOf = (types: readonly EventType[]) => {
  const byKey = new Map(types.map((type) => [type.key, type]))
  return async (
    { id, event_type_id: key }: Pick<OutgoingRecord, 'id' | 'event_type_id'>,
    load: Loader,
  ): Promise<string> => {
    const type = byKey.get(key)
    if (type?.publication.alias === undefined) return key
    const deliveries = (await load.where(delivery.name, 'event_id', id)).map(openDelivery)
    const endpoints = await Promise.all(deliveries.map(({ endpoint_id }) => load.one(endpoint.name, endpoint_id)))
    const names = new Set(endpoints.flatMap((one) => (one && subscribedName(openEndpoint(one), type)) ?? []))
    const [name = key] = names
    return names.size === 1 ? name : key
  }
}
