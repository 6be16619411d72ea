import { parseStream } from '../../domain/kernel/decider.ts'
import type { RecordedEvent } from '../../domain/kernel/event.ts'
import { withIds } from '../../domain/kernel/id.ts'
import type { Subscription } from '../../domain/kernel/ports/event-log.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
import { workerActor } from '../../domain/kernel/transaction.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import { type EndpointRecord, endpoint as endpointModel } from '../../domain/webhooks/endpoint/model.ts'
import type { NewDelivery } from '../../domain/webhooks/event/model.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { subscribes } from '../../domain/webhooks/matching.ts'
import { continues, type PublicEvent, publicEventsOf, writesOf } from '../../domain/webhooks/public-events.ts'
import { derivedId } from '../derived-id.ts'
import { outlast } from '../outlast.ts'
import type { Dispatcher } from './dispatcher.ts'
import type { Endpoints } from './endpoints.ts'
import { type WebhookParts, whenReadable } from './parts.ts'

const REACTOR = 'webhooks'
const ACTOR = workerActor('webhooks')
const OWN_STREAMS = `${outgoingEvents.name}-`
const ENDPOINT_STREAMS = `${endpointModel.name}-`

interface PublishParts {
  readonly webhooks: WebhookParts
  readonly types: readonly EventType[]
  readonly endpoints: Endpoints
  readonly dispatcher: Dispatcher
  /** Told about every change of an endpoint, after the registry has it. */
  readonly onEndpoint: (endpoint: EndpointRecord | undefined) => void
}

/**
 * Follows the log and records a public event for everything that some endpoint subscribes to, once: the claim on its cause goes with
 * the append. Ids are minted in the order of the log, so that whoever reads the list of events by ascending id misses none.
 */
export const startPublishing = async (parts: PublishParts): Promise<Subscription> => {
  const { webhooks, types, endpoints, dispatcher, onEndpoint } = parts
  const { log, checkpoints, engine, ids, logger, onFailure } = webhooks
  const publicEvents = publicEventsOf(types)
  let done = await checkpoints.get(REACTOR)

  const targetsOf = ({ type, origin, cause, subject }: PublicEvent): readonly NewDelivery[] => {
    const targets: NewDelivery[] = []
    for (const endpoint of endpoints.in(cause.metadata.workspace_id ?? 0)) {
      const wanted = type.publication.addressed
        ? endpoint.id === subject.id
        : subscribes(endpoint, type, origin) && endpoint.created_at! <= cause.metadata.at
      if (!wanted) continue
      targets.push({
        delivery_id: ids.next('webhooks/outgoing/delivery'),
        endpoint_id: endpoint.id,
        ...(!endpoint.enabled && { disabled: true as const }),
      })
    }
    return targets
  }

  const publish = async (event: PublicEvent, id: number, targets: readonly NewDelivery[]): Promise<void> => {
    const { type, subject, cause, origin, details } = event
    const command: RecordCommand = {
      type: 'create',
      id,
      wanted: {
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
        deliveries: targets,
      },
      at: subject.at,
      actor: ACTOR,
    }
    const { team_id: teamId, workspace_id: workspaceId, $correlationId } = cause.metadata
    const result = await engine.transact({
      aggregate: outgoingEvents,
      id,
      command,
      isNew: true,
      ...(teamId !== undefined && { teamId }),
      ...(workspaceId !== undefined && { workspaceId }),
      causationId: cause.id,
      correlationId: $correlationId,
      once: { key: `cause:webhook:${cause.id}:${type.key}:${subject.id}` },
    })
    if (result instanceof Refusal) throw result
    if ('repeatOf' in result) return
    for (const { endpoint_id, disabled } of targets) if (!disabled) dispatcher.wake(endpoint_id, result.position)
  }

  /** The registry follows the log, so that an event is matched with the endpoints of its time. */
  const followEndpoint = async (event: RecordedEvent): Promise<void> => {
    const { id } = parseStream(event.stream)
    await whenReadable(webhooks, event.position)
    const endpoint = await endpoints.refresh(id)
    dispatcher.changed(id, event.position)
    onEndpoint(endpoint)
  }

  /** Whether an event may have to be told, or changes who is told. */
  const concernsSomeone = ({ stream, metadata }: RecordedEvent): boolean =>
    stream.startsWith(ENDPOINT_STREAMS) || endpoints.anyIn(metadata.workspace_id ?? 0)

  const react = async (events: readonly RecordedEvent[]): Promise<void> => {
    const publishing: Promise<void>[] = []
    for (const write of writesOf(events)) {
      const last = write.at(-1)!
      if (last.stream.startsWith(ENDPOINT_STREAMS)) await followEndpoint(last)
      if (!concernsSomeone(last)) continue
      for (const event of publicEvents(write)) {
        const targets = targetsOf(event)
        if (targets.length > 0)
          publishing.push(publish(event, await withIds(ids, () => ids.next('webhooks/outgoing/event')), targets))
      }
    }
    await Promise.all(publishing)
  }

  /** The events of a batch that are still to be looked at, with the rest of the last write, should the batch have cut it. */
  const wholeWrites = async (batch: readonly RecordedEvent[]): Promise<readonly RecordedEvent[]> => {
    const events = batch.filter((event) => event.position > done && !event.stream.startsWith(OWN_STREAMS))
    let last = events.at(-1)
    if (!last || last !== batch.at(-1) || !concernsSomeone(last)) return events
    for await (const next of log.readStream(last.stream, { from: last.revision + 1 })) {
      if (!continues(last, next)) break
      events.push(next)
      last = next
    }
    return events
  }

  const noticeOrders = (batch: readonly RecordedEvent[]): void => {
    for (const event of batch) {
      if (event.type !== 'WebhookDeliveryOrdered') continue
      dispatcher.wake(Number(event.data.endpoint_id), event.position, true)
    }
  }

  const follow = async (batch: readonly RecordedEvent[]) => {
    noticeOrders(batch)
    const events = await wholeWrites(batch)
    await react(events)
    done = Math.max(done, batch.at(-1)!.position, events.at(-1)?.position ?? -1)
    await checkpoints.set(REACTOR, done)
  }

  let stopped = false
  const subscription = log.subscribe(
    (batch) =>
      outlast(() => follow(batch), {
        say: (error, wait) =>
          logger.warn({ err: error, again_in_ms: wait }, `${REACTOR}: a store cannot be used; it will be tried again`),
        isOver: () => stopped,
      }),
    {
      after: done,
      onError: (error) => {
        if (stopped) return
        logger.error({ err: error }, 'webhooks no longer follow the log')
        onFailure(error)
      },
    },
  )
  return {
    close() {
      stopped = true
      return subscription.close()
    },
  }
}
