import type { RecordedEvent } from '../../domain/kernel/values/event.ts'
import { parseStream } from '../../domain/kernel/values/stream-name.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import { delivery, type NewDelivery, type OutgoingRecord, outgoingEvent } from '../../domain/webhooks/event/model.ts'
import { outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { DONE, namesOf, type Reaction, type TaskPlace, type TaskTurn } from '../reactor/reaction.ts'
import { abandoning } from './abandon.ts'
import type { Attempt, Work } from './attempt.ts'
import type { Endpoints } from './endpoints.ts'
import type { Receivers } from './receivers.ts'
import type { WebhookDeps } from './webhook-deps.ts'

const DELIVERIES = 'deliveries'

/** Attempts under way at once, over all endpoints. */
const ROOM = 512
/** Of one that is not called any more: what it has yet to get is abandoned. */
const ABANDONED_AT_ONCE = 64
/** Attempts that fail are no failures of the reaction: those are recorded. */
const TRIES = 10

interface DeliveryDeps {
  readonly webhooks: WebhookDeps
  readonly endpoints: Endpoints
  readonly attempt: Attempt
  readonly receivers: Receivers
}

/** Where an endpoint gets what happens to a subject: in order. */
const placeOf = (endpointId: number, subject: unknown): TaskPlace => ({
  lane: `${DELIVERIES}:${endpointId}:${subject}`,
  group: `${DELIVERIES}:${endpointId}`,
})

const endpointIn = (laneOrGate: string): number => Number(laneOrGate.split(':', 2)[1])

/** Who is told of a public event, or told again. */
const placesOf = ({ type, data }: RecordedEvent): readonly TaskPlace[] => {
  if (type === outgoingEvent.event.WebhookDeliveryOrdered.type)
    return [placeOf(Number(data.endpoint_id), data.subject_stream)]
  const deliveries = data.deliveries as unknown as readonly NewDelivery[]
  return deliveries.flatMap(({ endpoint_id, disabled }) => (disabled ? [] : placeOf(endpoint_id, data.subject_stream)))
}

/** Tells endpoints of public events: each of what happens to a subject in its order, as quickly as it takes it and not when it fails. */
export const deliveryReaction = (deps: DeliveryDeps): Reaction => {
  const { webhooks, endpoints, attempt, receivers } = deps
  const { engine, now } = webhooks
  const abandon = abandoning(webhooks)

  /** What an endpoint has yet to get of an event; `undefined`: nothing. */
  const workFor = async (
    { stream, revision, position }: RecordedEvent,
    endpointId: number,
  ): Promise<Work | undefined> => {
    const records = await engine.records(outgoingEvents, parseStream(stream).id, revision)
    const event = records.root(outgoingEvent)
    const pending = records.all(delivery).find((one) => one.endpoint_id === endpointId && one.status === 'pending')
    return event && pending && { event: event as OutgoingRecord, delivery: pending, position }
  }

  const attemptAt = (work: Work, endpoint: EndpointRecord, turn: TaskTurn): Promise<number | null> => {
    const receiver = receivers.of(endpoint)
    return attempt(work, endpoint, {
      onAnswer: (answered) => receiver.judge(answered, Date.now()),
      isOver: turn.stopping,
    })
  }

  return {
    name: DELIVERIES,
    on: namesOf([outgoingEvent.event.WebhookEventPublished, outgoingEvent.event.WebhookDeliveryOrdered]),
    places: placesOf,
    limit: (group) => receivers.limit(endpointIn(group)) ?? ABANDONED_AT_ONCE,
    limitOfAll: ROOM,
    maxAttempts: TRIES,
    former: { checkpoint: 'webhooks', from: 'the beginning' },
    async react(event, turn) {
      const endpointId = endpointIn(turn.lane)
      const work = await workFor(event, endpointId)
      if (!work) return DONE
      const { delivery, event: told } = work
      await endpoints.current()
      const endpoint = endpoints.get(endpointId)
      if (!endpoint?.enabled) {
        await abandon(work, endpoint ? 'endpoint_disabled' : 'endpoint_removed')
        return DONE
      }
      const due = delivery.retry_at === null ? 0 : Date.parse(delivery.retry_at)
      const notBefore = due > now(told.workspace_id) ? due : await attemptAt(work, endpoint, turn)
      return notBefore === null ? DONE : { came: 'early', notBefore }
    },
  }
}
