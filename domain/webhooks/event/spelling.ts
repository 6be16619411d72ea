import { recordOf } from '../../kernel/model/fold.ts'
import type { Loader } from '../../resources/view-types.ts'
import type { EventType } from '../catalog.ts'
import { endpoint } from '../endpoint/model.ts'
import { askedAs } from '../matching.ts'
import { delivery, type OutgoingRecord } from './model.ts'

const openEndpoint = recordOf(endpoint)
const openDelivery = recordOf(delivery)

/**
 * The name that the log has for the type of an event: the one that its deliveries have for it (`event_type` of the envelope), so that who
 * knows the contract's names alone can recover by the log. That is the name under which the endpoints that it goes to ask for it now; where
 * they use both, or there is none any more that asks for it, it is the key. Either name finds it in the list.
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
    const names = new Set(endpoints.flatMap((one) => (one && askedAs(openEndpoint(one), type)) ?? []))
    const [name = key] = names
    return names.size === 1 ? name : key
  }
}
