import { ask, within } from '../../domain/kernel/decide/ask.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import { endpoint as endpointModel } from '../../domain/webhooks/endpoint/model.ts'
import {
  type DeliveryRecord,
  delivery as deliveryModel,
  type OutgoingRecord,
} from '../../domain/webhooks/event/model.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { runBatch } from '../reactor/batch.ts'
import { DONE, inStreams, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { createSemaphore } from '../reactor/semaphore.ts'
import { commanding, settled } from './command.ts'
import type { WebhookDeps } from './webhook-deps.ts'

type ClosingReason = 'endpoint_disabled' | 'endpoint_removed'

const DELIVERIES = 'webhooks/outgoing/delivery'
const AT_ONCE = 64
const TRIES = 10

interface PendingDelivery {
  readonly delivery: Pick<DeliveryRecord, 'id'>
  readonly event: Pick<OutgoingRecord, 'id' | 'workspace_id' | 'uuid'>
}

/** Returns a function that gives up a delivery. */
export const abandoning = (deps: Pick<WebhookDeps, 'engine' | 'now'>) => {
  const transact = commanding(deps)
  return async ({ delivery, event }: PendingDelivery, reason: ClosingReason): Promise<void> => {
    const result = await transact({
      ...ask(within(outgoingEvents, event.id, deliveryModel), delivery.id, 'abandon', { reason }),
      workspaceId: event.workspace_id,
      cause: event.uuid,
    })
    settled(result)
  }
}

/** Returns the reaction that gives up the pending deliveries of an endpoint that was disabled or removed. */
export const closingReaction = (deps: WebhookDeps): Reaction => {
  const { live, seen } = deps
  const abandon = abandoning(deps)
  const room = createSemaphore(AT_ONCE)

  const perform = async (deliveryId: number, reason: ClosingReason): Promise<undefined> => {
    const delivery = (await live.get(DELIVERIES, deliveryId)) as DeliveryRecord | undefined
    const event = delivery && (await live.get('webhooks/outgoing/event', Number(delivery.event_id)))
    if (delivery && event) await abandon({ delivery, event: event as OutgoingRecord }, reason)
  }

  return inStreams({
    name: 'closings',
    on: [endpointModel.event.WebhookEndpointDisabled, endpointModel.event.WebhookEndpointRemoved],
    group: ({ metadata }) => `closings:${metadata.workspace_id ?? 0}`,
    width: 2,
    maxAttempts: TRIES,
    former: { checkpoint: 'webhooks', from: 'the beginning' },
    async react(event, turn) {
      await seen(event)
      const { id } = parseStream(event.stream)
      const isEnabled = async () => (await live.get(endpointModel.name, id))?.enabled === true
      if (await isEnabled()) return DONE
      const reason =
        event.type === endpointModel.event.WebhookEndpointRemoved.type ? 'endpoint_removed' : 'endpoint_disabled'
      const end = await runBatch(turn, {
        readers: deps,
        resource: DELIVERIES,
        audience: { where: { pending_for: id } },
        room,
        perform: (deliveryId) => perform(deliveryId, reason),
        onPage: async () => !(await isEnabled()),
      })
      return end === 'stopped' ? STOPPED : DONE
    },
  })
}
