import type { Document, ReadModels } from '../../domain/kernel/ports/read-models.ts'
import type { DeliveryRecord, OutgoingRecord } from '../../domain/webhooks/event/model.ts'
import type { Work } from './lane.ts'

const DELIVERIES = 'webhooks/outgoing/delivery'
const EVENTS = 'webhooks/outgoing/event'

/** What waits to be delivered, as the read models have it: the queue itself, of which the worker holds a part in memory. */
export const createQueue = (live: ReadModels) => {
  const works = async (deliveries: readonly Document[]): Promise<Work[]> => {
    const events = await live.getMany(
      EVENTS,
      deliveries.map((delivery) => Number(delivery.event_id)),
    )
    return deliveries.flatMap((delivery, index) => {
      const event = events[index]
      return event ? [{ delivery: delivery as DeliveryRecord, event: event as OutgoingRecord }] : []
    })
  }
  return {
    /** What an endpoint has yet to get, in order, behind a delivery. */
    async pending(endpointId: number, after: number, limit: number): Promise<readonly Work[]> {
      return works(await live.find(DELIVERIES, { where: { pending_for: endpointId }, after, limit }))
    },

    /** What one lane has yet to get, in order. */
    async inLane(lane: string, limit: number): Promise<readonly Work[]> {
      return works(await live.find(DELIVERIES, { where: { pending_in: lane }, limit }))
    },

    /** Whether a lane has something to get before a delivery. */
    async hasEarlier(lane: string, deliveryId: number): Promise<boolean> {
      const [first] = await live.find(DELIVERIES, { where: { pending_in: lane }, limit: 1 })
      return first !== undefined && Number(first.id) < deliveryId
    },

    /** Deliveries of an endpoint whose next attempt is due by a time, the longest due first. */
    async due(endpointId: number, by: number, limit: number): Promise<readonly Work[]> {
      const where = { retrying_for: endpointId, retry_at: { $lte: new Date(by).toISOString() } }
      return works(await live.find(DELIVERIES, { where, sort: { by: 'retry_at' }, limit }))
    },

    /** When the first attempt after a time is due; milliseconds since 1970, infinity: none is. */
    async nextDue(endpointId: number, after: number): Promise<number> {
      const where = { retrying_for: endpointId, retry_at: { $gt: new Date(after).toISOString() } }
      const [first] = await live.find(DELIVERIES, { where, sort: { by: 'retry_at' }, limit: 1 })
      return first ? Date.parse(String(first.retry_at)) : Number.POSITIVE_INFINITY
    },
  }
}

export type Queue = ReturnType<typeof createQueue>
