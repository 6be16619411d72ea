import { ask } from '../../domain/kernel/decide/ask.ts'
import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { withIds } from '../../domain/kernel/values/ids.ts'
import { Refusal } from '../../domain/kernel/values/refusal.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import type { NewDelivery } from '../../domain/webhooks/event/model.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { subscribes } from '../../domain/webhooks/matching.ts'
import { type PublicEvent, publicEventsOf, typesByCause } from '../../domain/webhooks/public-events.ts'
import { derivedId } from '../derived-id.ts'
import { once } from '../once.ts'
import { DONE, inStreams, type Reaction } from '../reactor/reaction.ts'
import { type Commanded, commanding } from './command.ts'
import type { Endpoints } from './endpoints.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** Public events that are recorded at once: of one workspace, and of all. */
const GROUP_LIMIT = 256
const LIMIT_OF_ALL = 512
const TRIES = 10

interface PublicationDeps {
  readonly webhooks: WebhookDeps
  readonly types: readonly EventType[]
  readonly endpoints: Endpoints
}

/** Returns a delivery for each endpoint that a public event is for. */
const deliveriesOf = (
  { type, origin, cause, subject }: PublicEvent,
  { webhooks: { ids }, endpoints }: PublicationDeps,
): readonly NewDelivery[] => {
  const deliveries: NewDelivery[] = []
  const { addressed } = type.publication
  const addressee = typeof addressed === 'function' ? addressed(cause) : subject.id
  for (const endpoint of endpoints.in(cause.metadata.workspace_id ?? 0)) {
    const isTarget = addressed
      ? endpoint.id === addressee
      : subscribes(endpoint, type, origin) && endpoint.created_at! <= cause.metadata.at
    if (!isTarget) continue
    deliveries.push({
      delivery_id: ids.next('webhooks/outgoing/delivery'),
      endpoint_id: endpoint.id,
      ...(!endpoint.enabled && { disabled: true as const }),
    })
  }
  return deliveries
}

/** Returns the command that records a public event, once. */
const creationCommand = (
  { type, subject, cause, origin, details }: PublicEvent,
  id: number,
  deliveries: readonly NewDelivery[],
): Commanded => {
  const values = {
    uuid: derivedId('webhook', cause.id, type.key, subject.id).replaceAll('-', ''),
    event_type_id: type.key,
    resource: subject.resource,
    subject_type: type.resource.title,
    subject_id: subject.id,
    subject_stream: subject.stream,
    sequence: subject.revision,
    gone_from: subject.goneFrom,
    ...origin,
    details,
    deliveries,
  }
  const { team_id: teamId, workspace_id: workspaceId, $correlationId } = cause.metadata
  return {
    ...ask(outgoingEvents, id, 'create', values, { isNew: true }),
    at: subject.at,
    ...(teamId !== undefined && { teamId }),
    workspaceId,
    cause: cause.id,
    correlation: $correlationId,
    once: once(`cause:webhook:${cause.id}:${type.key}:${subject.id}`),
  }
}

/**
 * Returns the reaction that records a public event for everything that some endpoint subscribes to, once: the claim on its
 * cause is taken with the append. The events of one subject are recorded in order.
 */
export const publicationReaction = (deps: PublicationDeps): Reaction => {
  const { webhooks, types, endpoints } = deps
  const { ids } = webhooks
  const transact = commanding(webhooks)
  const publicEvents = publicEventsOf(types)
  const byCause = typesByCause(types)
  return inStreams({
    name: 'publications',
    on: 'all',
    concerns: ({ type, metadata }: RecordedEvent) =>
      endpoints.mayTake(metadata.workspace_id ?? 0, byCause.get(type) ?? []),
    watch: (event) => endpoints.watch(event),
    oncePerWrite: true,
    group: ({ metadata }) => `publications:${metadata.workspace_id ?? 0}`,
    width: GROUP_LIMIT,
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    former: { checkpoint: 'webhooks', from: 'there' },
    async react(_, turn) {
      await endpoints.current()
      for (const event of publicEvents(await turn.write())) {
        const deliveries = deliveriesOf(event, deps)
        if (deliveries.length === 0) continue
        // Ids ascend in the order of recording, so that a client that lists events by ascending id misses none.
        const id = await withIds(ids, () => ids.next('webhooks/outgoing/event'))
        const result = await transact(creationCommand(event, id, deliveries))
        if (result instanceof Refusal) throw result
      }
      return DONE
    },
  })
}
