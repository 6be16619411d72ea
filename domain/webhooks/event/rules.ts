import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { endpoint } from '../endpoint/model.ts'
import { isDelivered, nextAttempt } from '../retry.ts'
import { type DeliveryRecord, delivery, type NewDelivery, outgoingEvent } from './model.ts'

const { event } = outgoingEvent
type Happens = Events<typeof outgoingEvent>

/** Result of an attempt. The time of the command is the end of the attempt. */
export type AttemptResult = {
  /** Number of attempts before it, plus one. An attempt that is already recorded adds no event. */
  readonly number: number
  readonly duration_ms: number
  readonly status: number | null
  readonly reason: string | null
  readonly retry_after_ms: number | null
  readonly answer: string | null
  readonly answer_of: number | null
  /** Random number from 0 to 1. */
  readonly jitter: number
}

/** Returns the time of the next attempt, or `null` when the delivery is given up or no longer pending. */
const retryAt = (before: DeliveryRecord, { retry_after_ms, jitter }: AttemptResult, at: string): string | null => {
  if (before.status !== 'pending') return null
  const due = nextAttempt({
    attempts: before.attempt_count - (before.ordered?.attempts ?? 0) + 1,
    since: Date.parse(before.ordered?.at ?? before.created_at),
    at: Date.parse(at),
    retryAfter: retry_after_ms,
    jitter,
  })
  return due === null ? null : new Date(due).toISOString()
}

type Delivery<Input> = ActContext<typeof delivery, Input>

const recordAttempt = ({ id, before, wanted, at }: Delivery<{ readonly attempt: AttemptResult }>) => {
  const { attempt } = wanted
  if (attempt?.number !== before.attempt_count + 1) return []
  const { number, duration_ms, status, reason, answer, answer_of } = attempt
  const result = { delivery_id: id, endpoint_id: before.endpoint_id, number, duration_ms, answer, answer_of, status }
  if (isDelivered(status)) return [event.WebhookDelivered(result)]
  return [event.WebhookAttemptFailed({ ...result, reason, retry_at: retryAt(before, attempt, at) })]
}

const abandon = ({ id, before, wanted }: Delivery<{ readonly reason: string }>): Happens => {
  if (before.status !== 'pending') return []
  const { endpoint_id } = before
  return [event.WebhookDeliveryAbandoned({ delivery_id: id, endpoint_id, reason: wanted.reason ?? '' })]
}

const NONE: ReadonlySet<number> = new Set()

/** Loads the ids of the enabled endpoints of the workspace. Only `redeliver` needs them. */
const loadFacts = async (
  { act, before }: DecisionContext<typeof outgoingEvent>,
  read: Reader,
): Promise<ReadonlySet<number>> => {
  if (act !== 'redeliver' || before?.workspace_id === undefined) return NONE
  const endpoints = await read.find(endpoint, { where: { workspace_id: before.workspace_id } })
  return new Set(endpoints.filter(({ enabled }) => enabled).map(({ id }) => id))
}

const publish = ({
  after,
  wanted,
}: DecisionContext<typeof outgoingEvent, { readonly deliveries: readonly NewDelivery[] }>) => [
  event.WebhookEventPublished({ ...after, deliveries: wanted.deliveries ?? [] }),
]

/** Orders the event again for every enabled endpoint that it was for, or for one endpoint alone, with a new delivery if it was not for that one. */
const redeliver = (
  { before, wanted, ids, records }: ActContext<typeof outgoingEvent, { readonly endpoint_id?: number }>,
  enabled: ReadonlySet<number>,
): Happens | Refusal => {
  const only = wanted.endpoint_id
  const known = records
    .all(delivery)
    .filter(({ endpoint_id }) => enabled.has(endpoint_id) && (only ?? endpoint_id) === endpoint_id)
  const ordered = (delivery_id: number, endpoint_id: number) =>
    event.WebhookDeliveryOrdered({ delivery_id, endpoint_id, subject_stream: before.subject_stream })
  if (known.length > 0)
    return known.filter(({ status }) => status !== 'pending').map(({ id, endpoint_id }) => ordered(id, endpoint_id))
  if (only === undefined) return refuse.invalid('The event is for no enabled endpoint')
  const [newId] = ids
  return newId !== undefined && enabled.has(only) ? [ordered(newId, only)] : []
}

/** The rules of a public event and its deliveries. */
export const outgoingEvents = decider(outgoingEvent, {
  rules: rules(outgoingEvent, { loadFacts, create: publish, acts: { redeliver } }),
  children: [rules(delivery, { acts: { recordAttempt, abandon } })],
})
