import { ask } from '../../domain/kernel/decide/ask.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import type { EndpointRecord, OpenRedelivery } from '../../domain/webhooks/endpoint/model.ts'
import { endpoint as endpointModel } from '../../domain/webhooks/endpoint/model.ts'
import { endpoints } from '../../domain/webhooks/endpoint/rules.ts'
import { delivery, type OutgoingRecord } from '../../domain/webhooks/event/model.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { subscribes } from '../../domain/webhooks/matching.ts'
import { derivedId } from '../derived-id.ts'
import { runBatch } from '../reactor/batch.ts'
import { DONE, inStreams, type Reaction, STOPPED } from '../reactor/reaction.ts'
import { createSemaphore } from '../reactor/semaphore.ts'
import { commanding } from './command.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const REDELIVERIES = 'redeliveries'

const EVENTS = 'webhooks/outgoing/event'
const AT_ONCE = 64
const TRIES = 10

/** Returns the reaction that orders the events of a period to be delivered to an endpoint again. A kill in between repeats nothing. */
export const redeliveryReaction = (deps: WebhookDeps, types: ReadonlyMap<string, EventType>): Reaction => {
  const { live, seen, ids } = deps
  const transact = commanding(deps)
  const room = createSemaphore(AT_ONCE)

  const wants = (endpoint: EndpointRecord, event: OutgoingRecord): boolean => {
    const type = types.get(event.event_type_id)
    return type !== undefined && !type.publication.addressed && subscribes(endpoint, type, event)
  }

  /** Orders one delivery. A refusal means that the endpoint was disabled or removed, so that nothing is left to do. */
  const order = async (endpoint: EndpointRecord, redelivery: OpenRedelivery, eventId: number) => {
    const ordered = await transact({
      ...ask(outgoingEvents, eventId, 'redeliver', { endpoint_id: endpoint.id }, { ids: [ids.next(delivery.name)] }),
      teamId: Number(endpoint.team_id),
      workspaceId: endpoint.workspace_id,
      cause: `redelivery-${redelivery.id}`,
      eventIds: (index) => derivedId('redelivery', redelivery.id, eventId, index),
    })
    return ordered instanceof Refusal ? ordered.message : undefined
  }

  const finish = (endpoint: EndpointRecord, { id }: OpenRedelivery, events: number) =>
    transact({
      ...ask(endpoints, endpoint.id, 'finishRedelivery', { redelivery_id: id, events }),
      teamId: Number(endpoint.team_id),
      workspaceId: endpoint.workspace_id,
      cause: `redelivery-${id}`,
    })

  return inStreams({
    name: REDELIVERIES,
    on: [endpointModel.event.WebhookRedeliveryRequested],
    group: ({ metadata }) => `${REDELIVERIES}:${metadata.workspace_id ?? 0}`,
    width: 2,
    maxAttempts: TRIES,
    former: { checkpoint: 'webhooks', from: 'the beginning' },
    async react(event, turn) {
      await seen(event)
      const endpoint = (await live.get(endpointModel.name, parseStream(event.stream).id)) as EndpointRecord | undefined
      const redelivery = endpoint?.redeliveries.find(({ id }) => id === event.data.redelivery_id)
      if (!endpoint || !redelivery) return DONE
      const { from, to } = redelivery
      const end = await runBatch(turn, {
        readers: deps,
        resource: EVENTS,
        audience: {
          where: { workspace_id: endpoint.workspace_id, created_at: { $gte: from, $lte: to } },
          sort: { by: 'created_at' },
          test: (document) => wants(endpoint, document as OutgoingRecord),
        },
        room,
        perform: (eventId) => order(endpoint, redelivery, eventId),
      })
      if (end === 'stopped' || end === 'called off') return STOPPED
      await finish(endpoint, redelivery, end.performed_count)
      return DONE
    },
  })
}
