import type { Aggregate, Command, Decision } from '../../kernel/decider.ts'
import { refuse } from '../../kernel/refusal.ts'
import { isDelivered, nextAttempt } from '../retry.ts'
import { type OutgoingEvent, outgoingEvents } from './events.ts'
import { type DeliveryState, evolve, initial, type OutgoingState } from './state.ts'

type Published = Extract<OutgoingEvent, { readonly type: 'WebhookEventPublished' }>['data']

/** What came of an attempt; `at` of the command is its end. */
export interface AttemptResult {
  readonly deliveryId: number
  /** The attempts before, plus one: an attempt that is already recorded adds nothing. */
  readonly number: number
  readonly durationMs: number
  readonly status: number | null
  readonly reason: string | null
  readonly retryAfterMs: number | null
  readonly answer: string | null
  readonly answerOf: number | null
  /** From 0 to 1, at random. */
  readonly jitter: number
}

export type OutgoingCommand = Command &
  (
    | { readonly type: 'PublishEvent'; readonly event: Published }
    | { readonly type: 'RecordAttempt'; readonly attempt: AttemptResult }
    | { readonly type: 'AbandonDelivery'; readonly deliveryId: number; readonly reason: string }
    /** To every enabled endpoint that it was for; or to one alone, for which it then is, under `newId` if it was not. */
    | { readonly type: 'RedeliverEvent'; readonly only: { readonly endpointId: number; readonly newId: number } | null }
  )

interface OutgoingFacts {
  /** The endpoints of its workspace that are enabled. */
  readonly enabled: ReadonlySet<number>
}

type Outgoing = Decision<OutgoingEvent>

const NONE: ReadonlySet<number> = new Set()

const recordAttempt = (delivery: DeliveryState, result: AttemptResult, at: string): OutgoingEvent[] => {
  if (result.number !== delivery.attempts + 1) return []
  const { status, reason, retryAfterMs, jitter } = result
  const data = {
    delivery_id: delivery.id,
    endpoint_id: delivery.endpointId,
    number: result.number,
    duration_ms: result.durationMs,
    answer: result.answer,
    answer_of: result.answerOf,
  }
  if (status !== null && isDelivered(status)) return [{ type: 'WebhookDelivered', data: { ...data, status } }]
  const due =
    delivery.status === 'pending'
      ? nextAttempt({
          attempts: delivery.attemptsSince + 1,
          since: Date.parse(delivery.since),
          at: Date.parse(at),
          retryAfter: retryAfterMs,
          jitter,
        })
      : null
  const retry_at = due === null ? null : new Date(due).toISOString()
  return [{ type: 'WebhookAttemptFailed', data: { ...data, status, reason, retry_at } }]
}

const redeliver = (
  { deliveries, subjectStream }: OutgoingState,
  only: Extract<OutgoingCommand, { readonly type: 'RedeliverEvent' }>['only'],
  { enabled }: OutgoingFacts,
): Outgoing => {
  const known = deliveries.filter(
    ({ endpointId }) => enabled.has(endpointId) && (only === null || endpointId === only.endpointId),
  )
  const ordered = (delivery_id: number, endpoint_id: number): OutgoingEvent => ({
    type: 'WebhookDeliveryOrdered',
    data: { delivery_id, endpoint_id, subject_stream: subjectStream },
  })
  const begins = only !== null && known.length === 0 && enabled.has(only.endpointId)
  if (known.length === 0 && !begins && only === null) return refuse.invalid('The event is for no enabled endpoint')
  return [
    ...known.filter(({ status }) => status !== 'pending').map(({ id, endpointId }) => ordered(id, endpointId)),
    ...(begins ? [ordered(only.newId, only.endpointId)] : []),
  ]
}

const decide = (state: OutgoingState, command: OutgoingCommand, facts: OutgoingFacts): Outgoing => {
  if (command.type === 'PublishEvent') {
    return state.published ? [] : [{ type: 'WebhookEventPublished', data: command.event }]
  }
  if (!state.published) return refuse.notFound()
  if (command.type === 'RedeliverEvent') return redeliver(state, command.only, facts)
  const id = command.type === 'RecordAttempt' ? command.attempt.deliveryId : command.deliveryId
  const delivery = state.deliveries.find((one) => one.id === id)
  if (!delivery) return refuse.notFound('No such delivery')
  if (command.type === 'RecordAttempt') return recordAttempt(delivery, command.attempt, command.at)
  if (delivery.status !== 'pending') return []
  const data = { delivery_id: id, endpoint_id: delivery.endpointId, reason: command.reason }
  return [{ type: 'WebhookDeliveryAbandoned', data }]
}

/**
 * A public event with its deliveries to every endpoint that it goes to: one stream a public event. So an attempt is one
 * append to a stream that nobody else writes to, attempts of different events never wait for each other, and what one endpoint does
 * to an event is read in one place.
 */
export const outgoingAggregate: Aggregate<OutgoingState, OutgoingCommand, OutgoingEvent, OutgoingFacts> = {
  name: 'webhooks/outgoing/event',
  initial,
  events: outgoingEvents,
  decide,
  evolve,
  async facts(command, read, state) {
    if (command.type !== 'RedeliverEvent') return { enabled: NONE }
    const endpoints = await read.find('webhooks/outgoing/endpoint', { where: { workspace_id: state.workspaceId } })
    return { enabled: new Set(endpoints.filter(({ enabled }) => enabled === true).map(({ id }) => Number(id))) }
  },
}
