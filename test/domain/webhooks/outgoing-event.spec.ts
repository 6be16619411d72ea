import { type AttemptResult, outgoingEvents } from '../../../domain/webhooks/event/rules.ts'
import { AT, ask, given } from '../../support/decider.ts'

const published = {
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
const attempt = (change: Partial<AttemptResult> = {}, id = 100) => {
  const result = { number: 1, duration_ms: 12, status: 500, reason: null, retry_after_ms: null, jitter: 0 }
  const wanted = { attempt: { ...result, answer: null, answer_of: null, ...change } }
  return ask('recordAttempt', wanted, { child: 'deliveries', id })
}
const enabled = (...ids: number[]) => new Set(ids)
const tried = { delivery_id: 100, endpoint_id: 1, number: 1, duration_ms: 12, answer: null, answer_of: null }
const failed = (retry_at: string | null, status: number | null = 500, number = 1) => ({
  type: 'WebhookAttemptFailed',
  data: { ...tried, number, status, reason: null, retry_at },
})
const delivered = { type: 'WebhookDelivered', data: { ...tried, status: 200 } }
const ordered = (delivery_id: number, endpoint_id: number) => ({
  type: 'WebhookDeliveryOrdered',
  data: { delivery_id, endpoint_id, subject_stream: 'contact-5' },
})
const redeliver = (endpoint_id?: number, newId = 900) =>
  endpoint_id === undefined ? ask('redeliver') : ask('redeliver', { endpoint_id }, { ids: [newId] })

describe('outgoing event', () => {
  it('is published once', () => {
    given(outgoingEvents).when(ask('create', published.data)).then(published)
    given(outgoingEvents, published).when(ask('create', published.data)).thenNothing()
  })

  for (const status of [200, 201, 202, 203, 204, 205, 206, 207, 226]) {
    it(`is delivered by ${status}`, () => {
      given(outgoingEvents, published)
        .when(attempt({ status }))
        .then({ type: 'WebhookDelivered', data: { ...tried, status } })
    })
  }

  for (const status of [100, 208, 299, 300, 301, 304, 307, 400, 401, 404, 410, 422, 429, 500, 503, null]) {
    it(`is tried again after ${status ?? 'no answer'}`, () => {
      given(outgoingEvents, published).when(attempt({ status })).then(failed('2026-03-01T09:00:01.000Z', status))
    })
  }

  it('records an attempt once', () => {
    given(outgoingEvents, published, delivered)
      .when(attempt({ status: 200 }))
      .thenNothing()
    given(outgoingEvents, published, failed(AT)).when(attempt()).thenNothing()
  })

  it('keeps deliveries apart', () => {
    given(outgoingEvents, published, delivered)
      .when(attempt({ status: 204 }, 101))
      .then({ type: 'WebhookDelivered', data: { ...tried, delivery_id: 101, endpoint_id: 2, status: 204 } })
  })

  it('has an attempt that ended after it was abandoned, and does not try again', () => {
    const abandoned = {
      type: 'WebhookDeliveryAbandoned',
      data: { delivery_id: 100, endpoint_id: 1, reason: 'endpoint_disabled' },
    }
    given(outgoingEvents, published, abandoned).when(attempt()).then(failed(null))
    given(outgoingEvents, published, abandoned)
      .when(ask('abandon', { reason: 'endpoint_disabled' }, { child: 'deliveries', id: 100 }))
      .thenNothing()
  })

  it('is sent again to every enabled endpoint that it was for, and counts attempts from the beginning', () => {
    given(outgoingEvents, published, delivered).when(redeliver(), enabled(1, 3)).then(ordered(100, 1), ordered(102, 3))
    given(outgoingEvents, published, delivered, ordered(100, 1))
      .when(attempt({ number: 2 }))
      .then(failed('2026-03-01T09:00:01.000Z', 500, 2))
    given(outgoingEvents, published).when(redeliver(), enabled(1, 2)).thenNothing()
    given(outgoingEvents, published)
      .when(redeliver(), enabled(9))
      .refuses('invalid', /no enabled endpoint/)
  })

  it('can be sent to an endpoint that it was not for', () => {
    given(outgoingEvents, published).when(redeliver(9), enabled(1, 9)).then(ordered(900, 9))
    given(outgoingEvents, published, ordered(900, 9)).when(redeliver(9, 901), enabled(1, 9)).thenNothing()
    given(outgoingEvents, published).when(redeliver(9), enabled(1)).thenNothing()
  })
})
