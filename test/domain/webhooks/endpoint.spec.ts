import { endpointAggregate } from '../../../domain/webhooks/endpoint/aggregate.ts'
import type { EndpointEvent } from '../../../domain/webhooks/endpoint/events.ts'
import { AT, basics, given } from '../../support/decider.ts'

const registered: EndpointEvent = {
  type: 'WebhookEndpointRegistered',
  data: {
    url: 'https://example.com/hook',
    name: 'CRM',
    event_type_ids: ['$contact.created'],
    page_ids: null,
    funnel_ids: null,
    secret_nonce: 'n1',
  },
}
const disabled = (reason: 'gone' | 'failing' | null): EndpointEvent => ({
  type: 'WebhookEndpointDisabled',
  data: { reason },
})
const failing = (since: string): EndpointEvent => ({ type: 'WebhookEndpointFailing', data: { since } })
const change = (fields: object) => ({ type: 'ChangeEndpoint', fields, ...basics }) as const
const at = (time: string) => ({ ...basics, at: time })

describe('webhook endpoint', () => {
  it('is registered with each type once, and no scope where none was meant', () => {
    const fields = {
      url: 'https://example.com/hook',
      name: 'CRM',
      event_type_ids: ['$contact.created', '$contact.created'],
      page_ids: [],
      funnel_ids: null,
    }
    given(endpointAggregate)
      .when({ type: 'RegisterEndpoint', fields, nonce: 'n1', ...basics })
      .then(registered)
    given(endpointAggregate, registered)
      .when({ type: 'RegisterEndpoint', fields, nonce: 'n1', ...basics })
      .thenNothing()
  })

  it('needs a type to begin with, and may lose the last one later', () => {
    const fields = { url: 'https://example.com/hook', name: 'CRM' }
    for (const event_type_ids of [[], undefined]) {
      given(endpointAggregate)
        .when({
          type: 'RegisterEndpoint',
          fields: { ...fields, ...(event_type_ids && { event_type_ids }) },
          nonce: 'n1',
          ...basics,
        })
        .refuses('invalid', 'Event type ids must have at least one')
    }
    given(endpointAggregate, registered)
      .when(change({ event_type_ids: [] }))
      .then({ type: 'WebhookEndpointSubscribed', data: { event_type_ids: [] } })
  })

  it('says what changed, one fact each, and nothing twice', () => {
    given(endpointAggregate, registered)
      .when(change({ name: 'ERP', url: 'https://example.org/', page_ids: [3, 3], funnel_ids: null, enabled: true }))
      .then(
        { type: 'WebhookEndpointRenamed', data: { name: 'ERP' } },
        { type: 'WebhookEndpointRedirected', data: { url: 'https://example.org/' } },
        { type: 'WebhookEndpointScoped', data: { page_ids: [3], funnel_ids: null } },
      )
    given(endpointAggregate, registered)
      .when(
        change({ name: 'CRM', url: 'https://example.com/hook', event_type_ids: ['$contact.created'], page_ids: [] }),
      )
      .thenNothing()
  })

  it('clears a scope by null or an empty list', () => {
    const scoped: EndpointEvent = { type: 'WebhookEndpointScoped', data: { page_ids: [3], funnel_ids: [4] } }
    const cleared: EndpointEvent = { type: 'WebhookEndpointScoped', data: { page_ids: null, funnel_ids: [4] } }
    for (const page_ids of [null, []]) {
      given(endpointAggregate, registered, scoped).when(change({ page_ids })).then(cleared)
    }
  })

  it('keeps the secret before for a day after a rotation', () => {
    given(endpointAggregate, registered)
      .when({ type: 'RotateSecret', nonce: 'n2', ...basics })
      .then({
        type: 'WebhookEndpointSecretRotated',
        data: { secret_nonce: 'n2', previous_until: '2026-03-02T09:00:00.000Z' },
      })
  })

  it('is failing from the first failure on, until one attempt succeeds', () => {
    given(endpointAggregate, registered)
      .when({ type: 'NoteFailing', since: AT, ...basics })
      .then(failing(AT))
    given(endpointAggregate, registered, failing(AT))
      .when({ type: 'NoteFailing', since: AT, ...basics })
      .thenNothing()
    given(endpointAggregate, registered, failing(AT))
      .when({ type: 'NoteRecovered', ...basics })
      .then({ type: 'WebhookEndpointRecovered', data: {} })
    given(endpointAggregate, registered)
      .when({ type: 'NoteRecovered', ...basics })
      .thenNothing()
  })

  it('is disabled after five days of failure, not before, and counts anew when enabled', () => {
    const since = '2026-03-01T09:00:00.000Z'
    const note = (time: string) => ({ type: 'NoteFailing', since, ...at(time) }) as const
    given(endpointAggregate, registered, failing(since)).when(note('2026-03-06T08:59:59.999Z')).thenNothing()
    given(endpointAggregate, registered, failing(since))
      .when(note('2026-03-06T09:00:00.000Z'))
      .then(disabled('failing'))
    given(endpointAggregate, registered, failing(since), disabled('failing'))
      .when(change({ enabled: true }))
      .then({ type: 'WebhookEndpointEnabled', data: {} })
    const later = '2026-03-07T00:00:00.000Z'
    given(endpointAggregate, registered, failing(since), disabled('failing'), {
      type: 'WebhookEndpointEnabled',
      data: {},
    })
      .when({ type: 'NoteFailing', since: later, ...at(later) })
      .then(failing(later))
  })

  it('is disabled once, by the receiver or by a client', () => {
    const gone = { type: 'DisableEndpoint', reason: 'gone', ...basics } as const
    given(endpointAggregate, registered).when(gone).then(disabled('gone'))
    given(endpointAggregate, registered, disabled(null)).when(gone).thenNothing()
    given(endpointAggregate, registered)
      .when(change({ enabled: false }))
      .then(disabled(null))
    given(endpointAggregate, registered, disabled(null))
      .when(change({ enabled: false }))
      .thenNothing()
    given(endpointAggregate, registered, disabled('gone'))
      .when({ type: 'NoteFailing', since: AT, ...basics })
      .thenNothing()
  })

  it('redelivers a stretch of time when it is enabled and the stretch runs forward', () => {
    const request = (from: string, to: string) =>
      ({ type: 'RequestRedelivery', redeliveryId: 5, from, to, ...basics }) as const
    const requested: EndpointEvent = {
      type: 'WebhookRedeliveryRequested',
      data: { redelivery_id: 5, from: '2026-01-01T00:00:00.000Z', to: AT },
    }
    given(endpointAggregate, registered).when(request('2026-01-01T00:00:00.000Z', AT)).then(requested)
    given(endpointAggregate, registered).when(request(AT, '2026-01-01T00:00:00.000Z')).refuses('invalid', /later/)
    given(endpointAggregate, registered, disabled(null))
      .when(request(AT, AT))
      .refuses('invalid', /disabled/)
    given(endpointAggregate, registered, requested)
      .when({ type: 'FinishRedelivery', redeliveryId: 5, events: 3, ...basics })
      .then({ type: 'WebhookRedeliveryOrdered', data: { redelivery_id: 5, events: 3 } })
    given(endpointAggregate, registered)
      .when({ type: 'FinishRedelivery', redeliveryId: 5, events: 3, ...basics })
      .thenNothing()
  })

  it('is not there before and after its life', () => {
    for (const events of [[], [registered, { type: 'WebhookEndpointRemoved', data: {} }]] as EndpointEvent[][]) {
      given(endpointAggregate, ...events)
        .when({ type: 'PingEndpoint', ...basics })
        .refuses('notFound', /missing/)
    }
  })
})
