import { decider } from '../../kernel/decide/decider.ts'
import { type ActContext, type DecisionContext, type Events, type Reader, rules } from '../../kernel/decide/rules.ts'
import { type Refusal, refuse } from '../../kernel/values/refusal.ts'
import { endpoint } from '../endpoint/model.ts'
import { isDelivered, nextAttempt } from '../retry.ts'
import { type DeliveryRecord, delivery, type NewDelivery, outgoingEvent } from './model.ts'

const { event } = outgoingEvent
type Happens = Events<typeof outgoingEvent>

/** What came of an attempt; the moment of the command is its end. */
export type AttemptResult = {
  /** The attempts before, plus one: an attempt that is already recorded adds nothing. */
  readonly number: number
  readonly duration_ms: number
  readonly status: number | null
  readonly reason: string | null
  readonly retry_after_ms: number | null
  readonly answer: string | null
  readonly answer_of: number | null
  /** From 0 to 1, at random. */
  readonly jitter: number
}

/** When to try again, or `null`: it has been tried for long enough, or is not wanted any more. */
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
  const told = { delivery_id: id, endpoint_id: before.endpoint_id, number, duration_ms, answer, answer_of, status }
  if (isDelivered(status)) return [event.WebhookDelivered(told)]
  return [event.WebhookAttemptFailed({ ...told, reason, retry_at: retryAt(before, attempt, at) })]
}

const abandon = ({ id, before, wanted }: Delivery<{ readonly reason: string }>): Happens => {
  if (before.status !== 'pending') return []
  const { endpoint_id } = before
  return [event.WebhookDeliveryAbandoned({ delivery_id: id, endpoint_id, reason: wanted.reason ?? '' })]
}

const NONE: ReadonlySet<number> = new Set()

/** The endpoints of its workspace that are enabled. */
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

/** To every enabled endpoint that it was for; or to one alone, for which it then is, under a new id if it was not. */
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

/** The rules of a public event and its deliveries (rule book, section 20). */
export const outgoingEvents = decider(outgoingEvent, {
  rules: rules(outgoingEvent, { loadFacts, create: publish, acts: { redeliver } }),
  children: [rules(delivery, { acts: { recordAttempt, abandon } })],
})
