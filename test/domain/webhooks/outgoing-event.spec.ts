import { type AttemptResult, outgoingAggregate } from '../../../domain/webhooks/event/aggregate.ts'
import type { OutgoingEvent } from '../../../domain/webhooks/event/events.ts'
import { AT, basics, given } from '../../support/decider.ts'

const published: OutgoingEvent = {
  type: 'WebhookEventPublished',
  data: {
    uuid: 'a'.repeat(32),
    event_type_id: '$contact.created',
    resource: 'contact',
    subject_type: 'Contact',
    subject_id: 5,
    subject_stream: 'contact-5',
    sequence: 2,
    gone_from: 0,
    page_id: null,
    funnel_id: null,
    details: null,
    deliveries: [
      { delivery_id: 100, endpoint_id: 1 },
      { delivery_id: 101, endpoint_id: 2 },
      { delivery_id: 102, endpoint_id: 3, disabled: true },
    ],
  },
}
const attempt = (change: Partial<AttemptResult> = {}) =>
  ({
    type: 'RecordAttempt',
    attempt: {
      deliveryId: 100,
      number: 1,
      durationMs: 12,
      status: 500,
      reason: null,
      retryAfterMs: null,
      answer: null,
      answerOf: null,
      jitter: 0,
      ...change,
    },
    ...basics,
  }) as const
const facts = (...enabled: number[]) => ({ enabled: new Set(enabled) })
const tried = { delivery_id: 100, endpoint_id: 1, number: 1, duration_ms: 12, answer: null, answer_of: null }
const failed = (retry_at: string | null, status: number | null = 500, number = 1): OutgoingEvent => ({
  type: 'WebhookAttemptFailed',
  data: { ...tried, number, status, reason: null, retry_at },
})
const delivered: OutgoingEvent = { type: 'WebhookDelivered', data: { ...tried, status: 200 } }
const ordered = (delivery_id: number, endpoint_id: number): OutgoingEvent => ({
  type: 'WebhookDeliveryOrdered',
  data: { delivery_id, endpoint_id, subject_stream: 'contact-5' },
})
const redeliver = (only: { endpointId: number; newId: number } | null = null) =>
  ({ type: 'RedeliverEvent', only, ...basics }) as const

describe('outgoing event', () => {
  it('is published once', () => {
    given(outgoingAggregate)
      .when({ type: 'PublishEvent', event: published.data, ...basics })
      .then(published)
    given(outgoingAggregate, published)
      .when({ type: 'PublishEvent', event: published.data, ...basics })
      .thenNothing()
  })

  for (const status of [200, 201, 202, 203, 204, 205, 206, 207, 226]) {
    it(`is delivered by ${status}`, () => {
      given(outgoingAggregate, published)
        .when(attempt({ status }))
        .then({ type: 'WebhookDelivered', data: { ...tried, status } })
    })
  }

  for (const status of [100, 208, 299, 300, 301, 304, 307, 400, 401, 404, 410, 422, 429, 500, 503, null]) {
    it(`is tried again after ${status ?? 'no answer'}`, () => {
      given(outgoingAggregate, published).when(attempt({ status })).then(failed('2026-03-01T09:00:01.000Z', status))
    })
  }

  it('records an attempt once', () => {
    given(outgoingAggregate, published, delivered)
      .when(attempt({ status: 200 }))
      .thenNothing()
    given(outgoingAggregate, published, failed(AT)).when(attempt()).thenNothing()
  })

  it('keeps deliveries apart', () => {
    given(outgoingAggregate, published, delivered)
      .when(attempt({ deliveryId: 101, status: 204 }))
      .then({ type: 'WebhookDelivered', data: { ...tried, delivery_id: 101, endpoint_id: 2, status: 204 } })
  })

  it('has an attempt that ended after it was abandoned, and does not try again', () => {
    const abandoned: OutgoingEvent = {
      type: 'WebhookDeliveryAbandoned',
      data: { delivery_id: 100, endpoint_id: 1, reason: 'endpoint_disabled' },
    }
    given(outgoingAggregate, published, abandoned).when(attempt()).then(failed(null))
    given(outgoingAggregate, published, abandoned)
      .when({ type: 'AbandonDelivery', deliveryId: 100, reason: 'endpoint_disabled', ...basics })
      .thenNothing()
  })

  it('is sent again to every enabled endpoint that it was for, and counts attempts from the beginning', () => {
    given(outgoingAggregate, published, delivered).when(redeliver(), facts(1, 3)).then(ordered(100, 1), ordered(102, 3))
    given(outgoingAggregate, published, delivered, ordered(100, 1))
      .when(attempt({ number: 2 }))
      .then(failed('2026-03-01T09:00:01.000Z', 500, 2))
    given(outgoingAggregate, published).when(redeliver(), facts(1, 2)).thenNothing()
    given(outgoingAggregate, published)
      .when(redeliver(), facts(9))
      .refuses('invalid', /no enabled endpoint/)
  })

  it('can be sent to an endpoint that it was not for', () => {
    given(outgoingAggregate, published)
      .when(redeliver({ endpointId: 9, newId: 900 }), facts(1, 9))
      .then(ordered(900, 9))
    given(outgoingAggregate, published, ordered(900, 9))
      .when(redeliver({ endpointId: 9, newId: 901 }), facts(1, 9))
      .thenNothing()
    given(outgoingAggregate, published)
      .when(redeliver({ endpointId: 9, newId: 900 }), facts(1))
      .thenNothing()
  })
})
