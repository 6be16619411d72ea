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

/** Attempts that run at once, over all endpoints. */
const LIMIT_OF_ALL = 512
/** Limit of an endpoint that has not been called, such as a disabled one, whose deliveries are abandoned. */
const ABANDONED_AT_ONCE = 64
/** A failed delivery attempt is recorded. It is no failure of the reaction, so it does not count here. */
const TRIES = 10

interface DeliveryDeps {
  readonly webhooks: WebhookDeps
  readonly endpoints: Endpoints
  readonly attempt: Attempt
  readonly receivers: Receivers
}

/** Returns the lane in which an endpoint gets the events of a subject in order, and its group. */
const placeOf = (endpointId: number, subject: unknown): TaskPlace => ({
  lane: `${DELIVERIES}:${endpointId}:${subject}`,
  group: `${DELIVERIES}:${endpointId}`,
})

const endpointIn = (laneOrGroup: string): number => Number(laneOrGroup.split(':', 2)[1])

/** Returns a lane and a group for each endpoint that gets a public event, for the first time or again. */
const placesOf = ({ type, data }: RecordedEvent): readonly TaskPlace[] => {
  if (type === outgoingEvent.event.WebhookDeliveryOrdered.type)
    return [placeOf(Number(data.endpoint_id), data.subject_stream)]
  const deliveries = data.deliveries as unknown as readonly NewDelivery[]
  return deliveries.flatMap(({ endpoint_id, disabled }) => (disabled ? [] : placeOf(endpoint_id, data.subject_stream)))
}

/**
 * Returns the reaction that delivers public events. An endpoint gets the events of a subject in order. How many attempts
 * run at once depends on its responses: more after successes, fewer after failures.
 */
export const deliveryReaction = (deps: DeliveryDeps): Reaction => {
  const { webhooks, endpoints, attempt, receivers } = deps
  const { engine, now } = webhooks
  const abandon = abandoning(webhooks)

  /** Returns the pending delivery of an event to an endpoint; `undefined`: there is none. */
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
    limitOfAll: LIMIT_OF_ALL,
    maxAttempts: TRIES,
    former: { checkpoint: 'webhooks', from: 'the beginning' },
    async react(event, turn) {
      const endpointId = endpointIn(turn.lane)
      const work = await workFor(event, endpointId)
      if (!work) return DONE
      const { delivery, event: outgoing } = work
      await endpoints.current()
      const endpoint = endpoints.get(endpointId)
      if (!endpoint?.enabled) {
        await abandon(work, endpoint ? 'endpoint_disabled' : 'endpoint_removed')
        return DONE
      }
      const due = delivery.retry_at === null ? 0 : Date.parse(delivery.retry_at)
      const notBefore = due > now(outgoing.workspace_id) ? due : await attemptAt(work, endpoint, turn)
      return notBefore === null ? DONE : { came: 'early', notBefore }
    },
  }
}
