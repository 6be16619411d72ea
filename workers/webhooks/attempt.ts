import type { JsonObject } from '../../domain/kernel/event.ts'
import type { OutboundResult } from '../../domain/kernel/ports/outbound.ts'
import { Refusal } from '../../domain/kernel/refusal.ts'
import type { RecordCommand } from '../../domain/kernel/rules.ts'
import { workerActor } from '../../domain/kernel/transaction.ts'
import type { PastSubject } from '../../domain/kinds/showing.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import type { EndpointRecord } from '../../domain/webhooks/endpoint/model.ts'
import { activeNonces, asHex, secretOf } from '../../domain/webhooks/endpoint/secrets.ts'
import { type OutgoingRecord, subjectOf } from '../../domain/webhooks/event/model.ts'
import { type AttemptResult, outgoingEvents } from '../../domain/webhooks/event/rules.ts'
import { placeOf } from '../../domain/webhooks/event/view.ts'
import { askedAs } from '../../domain/webhooks/matching.ts'
import { envelopeOf } from '../../domain/webhooks/payload.ts'
import { isDelivered, parseRetryAfter } from '../../domain/webhooks/retry.ts'
import type { Work } from './lane.ts'
import type { WebhookParts } from './parts.ts'
import { type Keys, type SigningKey, signatureHeaders } from './sign.ts'

/** What the receiver made of an attempt. */
export interface Answered {
  readonly delivered: boolean
  /** The receiver answered 410: it wants no more. */
  readonly gone: boolean
  /** How long the receiver asked to be left alone; milliseconds. */
  readonly holdFor: number | null
}

/** What is known of an attempt when it has been recorded. */
export interface Settled {
  /** When the next attempt is due; milliseconds since 1970, `null`: there is none. */
  readonly retryAt: number | null
  /** Position up to which the read models must get to know of it. */
  readonly position: number
}

interface Prepared {
  readonly body: string
  readonly person: number | undefined
}

const ACTOR = workerActor('webhooks')
const HOLDING_STATUSES: ReadonlySet<number> = new Set([429, 503])

/** Makes attempts: shows the subject as it was, signs, sends, and records what came of it. */
export const createAttempts = (parts: WebhookParts, types: ReadonlyMap<string, EventType>) => {
  const { engine, vault, secrets, outbound, snapshot, loader, resources, now, logger } = parts
  const keysByNonce = new Map<string, SigningKey>()

  const keyOf = (endpointId: number, nonce: string): SigningKey => {
    const known = keysByNonce.get(nonce)
    if (known) return known
    const bytes = secretOf(secrets, endpointId, nonce)
    const key = { bytes, hex: asHex(bytes) }
    keysByNonce.set(nonce, key)
    return key
  }

  const keysOf = ({ id, secret }: EndpointRecord): Keys =>
    activeNonces(secret, new Date(now()).toISOString()).map((nonce) => keyOf(id, nonce))

  const prepare = async (endpoint: EndpointRecord, event: OutgoingRecord): Promise<Prepared> => {
    const subject: PastSubject = subjectOf(event)
    const shown = await snapshot(subject)
    const type = types.get(event.event_type_id)
    const isPlaced = event.page_id !== null || event.funnel_id !== null
    const load = isPlaced ? loader() : undefined
    const envelope = envelopeOf(event, {
      eventType: (type && askedAs(endpoint, type)) ?? event.event_type_id,
      data: shown?.data ?? {},
      page: load ? await placeOf(load, 'page', event.page_id) : null,
      funnel: load ? await placeOf(load, 'funnel', event.funnel_id) : null,
    })
    const person = shown && resources.get(event.resource)?.person?.(shown.document)
    return { body: JSON.stringify(envelope), person }
  }

  const send = (endpoint: EndpointRecord, event: OutgoingRecord, body: string): Promise<OutboundResult> => {
    const timestamp = Math.floor(now() / 1000)
    const headers = {
      'content-type': 'application/json',
      'user-agent': 'Millrace-Webhooks/1',
      ...signatureHeaders(keysOf(endpoint), event.uuid, timestamp, body),
    }
    return outbound.post({ url: endpoint.url, headers, body })
  }

  /** What the receiver said may speak of the person that it was told about: it goes when the person goes. */
  const sealed = async (
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

  const record = async (
    { event, delivery }: Work,
    endpoint: EndpointRecord,
    attempt: AttemptResult,
  ): Promise<Settled> => {
    const command: RecordCommand = {
      type: 'recordAttempt',
      child: 'deliveries',
      id: delivery.id,
      wanted: { attempt },
      at: new Date(now()).toISOString(),
      actor: ACTOR,
    }
    const result = await engine.transact({
      aggregate: outgoingEvents,
      id: event.id,
      command,
      teamId: Number(endpoint.team_id),
      workspaceId: event.workspace_id,
      causationId: event.uuid,
      correlationId: event.uuid,
    })
    if (result instanceof Refusal) throw result
    if ('repeatOf' in result) throw new Error(`delivery ${delivery.id} was recorded under a claim`)
    const retryAt = result.events[0]?.data.retry_at
    return { retryAt: typeof retryAt === 'string' ? Date.parse(retryAt) : null, position: result.position }
  }

  const make = async ({ event, delivery }: Work, endpoint: EndpointRecord) => {
    let person: number | undefined
    try {
      const prepared = await prepare(endpoint, event)
      person = prepared.person
      return { person, result: await send(endpoint, event, prepared.body) }
    } catch (error) {
      logger.error({ err: error, event: event.id, delivery: delivery.id }, 'webhook could not be prepared')
      const result: OutboundResult = { kind: 'failed', reason: 'the event could not be prepared' }
      return { person, result }
    }
  }

  /**
   * Makes an attempt and records it.
   *
   * @param onAnswer told what the receiver made of it, before that is recorded
   * @throws {Error} when it could not be recorded: it will then be made again
   */
  return async (work: Work, endpoint: EndpointRecord, onAnswer: (answered: Answered) => void): Promise<Settled> => {
    const begun = performance.now()
    const { person, result } = await make(work, endpoint)
    const durationMs = Math.round(performance.now() - begun)
    const answer = result.kind === 'answered' ? result : undefined
    const status = answer?.status ?? null
    const retryAfter = parseRetryAfter(answer?.retryAfter, now())
    const holdFor = HOLDING_STATUSES.has(status ?? 0) ? retryAfter : null
    onAnswer({ delivered: isDelivered(status), gone: status === 410, holdFor })
    return record(work, endpoint, {
      number: work.delivery.attempt_count + 1,
      duration_ms: durationMs,
      status,
      reason: result.kind === 'answered' ? null : result.reason,
      retry_after_ms: retryAfter,
      ...(await sealed(answer?.excerpt ?? '', person)),
      jitter: Math.random(),
    })
  }
}

export type Attempt = ReturnType<typeof createAttempts>
