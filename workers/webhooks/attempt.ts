import { ask, within } from '../../domain/kernel/decide/ask.ts'
import type { OutboundResult } from '../../domain/kernel/ports/outbound.ts'
import type { JsonObject } from '../../domain/kernel/values/event.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import { activeNonces, asHex, secretOf } from '../../domain/webhooks/endpoint/secrets.ts'
import {
  type DeliveryRecord,
  delivery as deliveryModel,
  type OutgoingRecord,
  subjectOf,
} from '../../domain/webhooks/event/model.ts'
import { type AttemptResult, outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { placeOf } from '../../domain/webhooks/event/view.ts'
import { subscribedName } from '../../domain/webhooks/matching.ts'
import { envelopeOf } from '../../domain/webhooks/payload.ts'
import { isDelivered, parseRetryAfter } from '../../domain/webhooks/retry.ts'
import { retryWhileUnavailable } from '../retry-while-unavailable.ts'
import { commanding, settled } from './command.ts'
import { type Keys, type SigningKey, signatureHeaders } from './sign.ts'
import type { WebhookDeps } from './webhook-deps.ts'

/** Response of the receiver to an attempt. */
export interface AttemptResponse {
  readonly delivered: boolean
  /** The receiver answered 410: it wants no more deliveries. */
  readonly gone: boolean
  /** How long the receiver asked for a pause, in milliseconds; `null`: it did not. */
  readonly holdFor: number | null
}

/** A delivery to attempt, with its event. */
export interface Work {
  readonly delivery: DeliveryRecord
  readonly event: OutgoingRecord
  /** Position that the documents must have reached before an attempt. */
  readonly position: number
}

interface AttemptOptions {
  /** Called with the response, before it is recorded. */
  readonly onAnswer: (answered: AttemptResponse) => void
  /** Whether the process is stopping. An attempt that cannot be recorded then is made again. */
  readonly isOver: () => boolean
}

interface AttemptDeps extends WebhookDeps {
  readonly types: ReadonlyMap<string, EventType>
  readonly transact: ReturnType<typeof commanding>
  /** Returns the keys of an endpoint that are valid now. */
  readonly keysOf: (endpoint: EndpointRecord) => Keys
}

const HOLDING_STATUSES: ReadonlySet<number> = new Set([429, 503])

/** Returns a function that makes an attempt: it shows the subject as it was, signs, sends, and records the outcome. */
export const createAttempts = (webhooks: WebhookDeps, types: ReadonlyMap<string, EventType>) => {
  const deps: AttemptDeps = { ...webhooks, types, transact: commanding(webhooks), keysOf: signingKeys(webhooks) }
  const { vault, seen, logger } = deps
  /**
   * Makes an attempt, and records it, however long a store is unavailable.
   *
   * @returns when the next one is due; milliseconds since 1970, `null`: there is none
   * @throws {Error} when it is over before the documents have caught up or the attempt is recorded. It is then made again
   */
  return async (work: Work, endpoint: EndpointRecord, { onAnswer, isOver }: AttemptOptions): Promise<number | null> => {
    // The payload is built from documents: of children, of records that they refer to, of the page and the funnel.
    await seen(work)
    const begun = performance.now()
    const { person, result } = await prepareAndSend(deps, work, endpoint)
    const durationMs = Math.round(performance.now() - begun)
    const answer = result.kind === 'answered' ? result : undefined
    const status = answer?.status ?? null
    const retryAfter = parseRetryAfter(answer?.retryAfter, Date.now())
    const holdFor = HOLDING_STATUSES.has(status ?? 0) ? retryAfter : null
    onAnswer({ delivered: isDelivered(status), gone: status === 410, holdFor })
    const attempt = {
      number: work.delivery.attempt_count + 1,
      duration_ms: durationMs,
      status,
      reason: result.kind === 'answered' ? null : result.reason,
      retry_after_ms: retryAfter,
      ...(await sealAnswer(vault, answer?.excerpt ?? '', person)),
      jitter: Math.random(),
    }
    return retryWhileUnavailable(() => record(deps, work, endpoint, attempt), {
      say: (error) => logger.warn({ err: error, delivery: work.delivery.id }, 'an attempt cannot be recorded for now'),
      isOver,
    })
  }
}

export type Attempt = ReturnType<typeof createAttempts>

/** Returns a function that gives the signing keys of an endpoint. Each key is derived once. */
const signingKeys = ({ secrets }: Pick<WebhookDeps, 'secrets'>): AttemptDeps['keysOf'] => {
  const keysByNonce = new Map<string, SigningKey>()
  const keyOf = (endpointId: number, nonce: string): SigningKey => {
    const known = keysByNonce.get(nonce)
    if (known) return known
    const bytes = secretOf(secrets, endpointId, nonce)
    const key = { bytes, hex: asHex(bytes) }
    keysByNonce.set(nonce, key)
    return key
  }
  return ({ id, secret }) => activeNonces(secret, new Date().toISOString()).map((nonce) => keyOf(id, nonce))
}

/** Sends an event to an endpoint. If it cannot be prepared, the result says so. */
const prepareAndSend = async (deps: AttemptDeps, { event, delivery }: Work, endpoint: EndpointRecord) => {
  let person: number | undefined
  try {
    const prepared = await prepare(deps, event, endpoint)
    person = prepared.person
    return { person, result: await send(deps, event, endpoint, prepared.body) }
  } catch (error) {
    deps.logger.error({ err: error, event: event.id, delivery: delivery.id }, 'webhook could not be prepared')
    const result: OutboundResult = { kind: 'failed', reason: 'the event could not be prepared' }
    return { person, result }
  }
}

/** Body of a request, and the person whom it is about. */
interface Prepared {
  readonly body: string
  readonly person: number | undefined
}

/** Shows the subject of an event as it was. */
const prepare = async (
  { snapshot, loader, resources, types }: AttemptDeps,
  event: OutgoingRecord,
  endpoint: EndpointRecord,
): Promise<Prepared> => {
  const shown = await snapshot(subjectOf(event))
  const type = types.get(event.event_type_id)
  const isPlaced = event.page_id !== null || event.funnel_id !== null
  const load = isPlaced ? loader() : undefined
  const envelope = envelopeOf(event, {
    eventType: (type && subscribedName(endpoint, type)) ?? event.event_type_id,
    data: shown?.data ?? {},
    page: load ? await placeOf(load, 'page', event.page_id) : null,
    funnel: load ? await placeOf(load, 'funnel', event.funnel_id) : null,
  })
  const person = shown && resources.get(event.resource)?.person?.(shown.document)
  return { body: JSON.stringify(envelope), person }
}

/** Signs a body and sends it. */
const send = (
  { keysOf, outbound }: AttemptDeps,
  event: OutgoingRecord,
  endpoint: EndpointRecord,
  body: string,
): Promise<OutboundResult> => {
  const timestamp = Math.floor(Date.now() / 1000)
  const headers = {
    'content-type': 'application/json',
    'user-agent': 'Millrace-Webhooks/1',
    ...signatureHeaders(keysOf(endpoint), event.uuid, timestamp, body),
  }
  return outbound.post({ url: endpoint.url, headers, body })
}

/** Seals an answer with the key of the person whom the event is about, because it may name them. Erasing the person erases it. */
const sealAnswer = async (
  vault: WebhookDeps['vault'],
  text: string,
  person: number | undefined,
): Promise<Pick<AttemptResult, 'answer' | 'answer_of'>> => {
  if (text === '') return { answer: null, answer_of: null }
  if (person === undefined) return { answer: text, answer_of: null }
  try {
    return { answer: await vault.seal(person, { text } satisfies JsonObject), answer_of: person }
  } catch {
    return { answer: null, answer_of: person }
  }
}

/** Records an attempt. @returns when the next one is due; milliseconds since 1970, `null`: there is none */
const record = async (
  { transact }: AttemptDeps,
  { event: outgoing, delivery }: Work,
  endpoint: EndpointRecord,
  attempt: AttemptResult,
): Promise<number | null> => {
  const recorded = await transact({
    ...ask(within(outgoingEvents, outgoing.id, deliveryModel), delivery.id, 'recordAttempt', { attempt }),
    teamId: Number(endpoint.team_id),
    workspaceId: outgoing.workspace_id,
    cause: outgoing.uuid,
  })
  const [event] = settled(recorded).events
  // It was recorded before, without this process knowing. The record says what is due now.
  if (!event) return 0
  const retryAt = event.data.retry_at
  return typeof retryAt === 'string' ? Date.parse(retryAt) : null
}
