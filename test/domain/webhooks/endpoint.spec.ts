import { expect } from 'chai'
import { recordOf } from '../../../domain/kernel/model/fold.ts'
import { endpointResource } from '../../../domain/webhooks/endpoint/index.ts'
import { endpoint } from '../../../domain/webhooks/endpoint/model.ts'
import { endpoints } from '../../../domain/webhooks/endpoint/rules.ts'
import { activeNonces } from '../../../domain/webhooks/endpoint/secrets.ts'
import { AT, ask, given } from '../../support/decider.ts'

const registered = {
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
const disabled = (reason: 'gone' | 'failing' | null) => ({
  type: 'WebhookEndpointDisabled',
  data: { reason },
})
const failing = (since: string) => ({ type: 'WebhookEndpointFailing', data: { since } })
const change = (wanted: object) => ask('change', wanted)
const note = (since: string, at = AT) => ({ ...ask('noteFailing', { since }), at })

describe('webhook endpoint', () => {
  it('is registered with each type once, and no scope where none was meant', () => {
    const fields = {
      url: 'https://example.com/hook',
      name: 'CRM',
      event_type_ids: ['$contact.created', '$contact.created'],
      page_ids: [],
      funnel_ids: null,
    }
    given(endpoints)
      .when(ask('create', { ...fields, nonce: 'n1' }))
      .then(registered)
    given(endpoints, registered)
      .when(ask('create', { ...fields, nonce: 'n1' }))
      .thenNothing()
  })

  it('needs a type to begin with, which is written down, and may lose the last one later', () => {
    const fieldsOf = (id: string) => {
      const operation = endpointResource(['$contact.created']).operations[id]
      return operation?.kind === 'write' ? operation.body?.fields : undefined
    }
    expect(fieldsOf('createWebhooksOutgoingEndpoints')?.event_type_ids?.required).to.equal(true)
    expect(fieldsOf('updateWebhooksOutgoingEndpoints')?.event_type_ids?.required).to.equal(false)
    const fields = { url: 'https://example.com/hook', name: 'CRM' }
    for (const event_type_ids of [[], undefined]) {
      given(endpoints)
        .when(ask('create', { ...fields, ...(event_type_ids && { event_type_ids }), nonce: 'n1' }))
        .refuses('invalid', 'Event type ids must have at least one')
    }
    given(endpoints, registered)
      .when(change({ event_type_ids: [] }))
      .then({ type: 'WebhookEndpointSubscribed', data: { event_type_ids: [] } })
  })

  it('has one event for each change, and none twice', () => {
    given(endpoints, registered)
      .when(change({ name: 'ERP', url: 'https://example.org/', page_ids: [3, 3], funnel_ids: null, enabled: true }))
      .then(
        { type: 'WebhookEndpointRenamed', data: { name: 'ERP' } },
        { type: 'WebhookEndpointRedirected', data: { url: 'https://example.org/' } },
        { type: 'WebhookEndpointScoped', data: { page_ids: [3], funnel_ids: null } },
      )
    given(endpoints, registered)
      .when(
        change({ name: 'CRM', url: 'https://example.com/hook', event_type_ids: ['$contact.created'], page_ids: [] }),
      )
      .thenNothing()
  })

  it('clears a scope by null or an empty list', () => {
    const scoped = { type: 'WebhookEndpointScoped', data: { page_ids: [3], funnel_ids: [4] } }
    const cleared = { type: 'WebhookEndpointScoped', data: { page_ids: null, funnel_ids: [4] } }
    for (const page_ids of [null, []]) {
      given(endpoints, registered, scoped).when(change({ page_ids })).then(cleared)
    }
  })

  it('keeps the previous secret for a day after a rotation', () => {
    given(endpoints, registered)
      .when(ask('rotate', { nonce: 'n2' }))
      .then({
        type: 'WebhookEndpointSecretRotated',
        data: { secret_nonce: 'n2', previous_until: '2026-03-02T09:00:00.000Z' },
      })
  })

  it('keeps every former secret until it expires, however often it is rotated', () => {
    const at = (hour: number) => new Date(Date.parse(AT) + hour * 3_600_000).toISOString()
    const rotation = (nonce: string, hour: number) => ({
      at: at(hour),
      event: { type: 'WebhookEndpointSecretRotated', data: { secret_nonce: nonce, previous_until: at(hour + 24) } },
    })
    const rotations = [rotation('n2', 0), rotation('n3', 1), rotation('n4', 2), rotation('n5', 25)]
    const events = [registered, ...rotations.map(({ event }) => event)].map((event, revision) => ({
      ...event,
      stream: 'webhooks/outgoing/endpoint-1',
      revision,
      metadata: {
        ...{ at: revision === 0 ? AT : rotations[revision - 1]!.at, actor: 'key:1', $correlationId: 'c' },
        ...{ $causationId: 'c', workspace_id: 7 },
      },
    }))
    const noncesAfter = (count: number, hour: number) => {
      const state = endpoints.fold(endpoints.initial, events.slice(0, count + 1))
      const { secret } = recordOf(endpoint)(state.documents[endpoint.name]!.get(1)!)
      return activeNonces(secret, at(hour))
    }
    expect(noncesAfter(3, 2)).to.deep.equal(['n4', 'n3', 'n2', 'n1'])
    expect(noncesAfter(3, 24)).to.deep.equal(['n4', 'n3', 'n2'])
    expect(noncesAfter(3, 26)).to.deep.equal(['n4'])
    expect(noncesAfter(4, 25)).to.deep.equal(['n5', 'n4', 'n3'])
  })

  it('ends former secrets at once, and has a bound of those that are valid', () => {
    const rotated = (nonce: string) => ({
      type: 'WebhookEndpointSecretRotated',
      data: { secret_nonce: nonce, previous_until: '2026-03-02T09:00:00.000Z' },
    })
    const ended = { type: 'WebhookEndpointFormerSecretsEnded', data: {} }
    const many = Array.from({ length: 10 }, (_, at) => rotated(`n${at + 2}`))
    given(endpoints, registered).when(ask('endFormerSecrets')).thenNothing()
    given(endpoints, registered, rotated('n2')).when(ask('endFormerSecrets')).then(ended)
    given(endpoints, registered, rotated('n2'), ended).when(ask('endFormerSecrets')).thenNothing()
    given(endpoints, registered, ...many)
      .when(ask('rotate', { nonce: 'x' }))
      .refuses('invalid', '10 former secrets of this endpoint are still valid; end them first')
    given(endpoints, registered, ...many, ended)
      .when(ask('rotate', { nonce: 'x' }))
      .then(rotated('x'))
  })

  it('is failing from the first failure on, until one attempt succeeds', () => {
    given(endpoints, registered).when(note(AT)).then(failing(AT))
    given(endpoints, registered, failing(AT)).when(note(AT)).thenNothing()
    given(endpoints, registered, failing(AT))
      .when(ask('noteRecovered'))
      .then({ type: 'WebhookEndpointRecovered', data: {} })
    given(endpoints, registered).when(ask('noteRecovered')).thenNothing()
  })

  it('is disabled after five days of failure, not before, and counts anew when enabled', () => {
    const since = '2026-03-01T09:00:00.000Z'
    given(endpoints, registered, failing(since)).when(note(since, '2026-03-06T08:59:59.999Z')).thenNothing()
    given(endpoints, registered, failing(since)).when(note(since, '2026-03-06T09:00:00.000Z')).then(disabled('failing'))
    given(endpoints, registered, failing(since), disabled('failing'))
      .when(change({ enabled: true }))
      .then({ type: 'WebhookEndpointEnabled', data: {} })
    const later = '2026-03-07T00:00:00.000Z'
    given(endpoints, registered, failing(since), disabled('failing'), {
      type: 'WebhookEndpointEnabled',
      data: {},
    })
      .when(note(later, later))
      .then(failing(later))
  })

  it('is disabled once, by the receiver or by a client', () => {
    const gone = ask('noteGone')
    given(endpoints, registered).when(gone).then(disabled('gone'))
    given(endpoints, registered, disabled(null)).when(gone).thenNothing()
    given(endpoints, registered)
      .when(change({ enabled: false }))
      .then(disabled(null))
    given(endpoints, registered, disabled(null))
      .when(change({ enabled: false }))
      .thenNothing()
    given(endpoints, registered, disabled('gone')).when(note(AT)).thenNothing()
  })

  it('redelivers a stretch of time when it is enabled and the stretch runs forward', () => {
    const request = (from: string, to: string) => ask('redeliver', { redelivery_id: 5, from, to })
    const requested = {
      type: 'WebhookRedeliveryRequested',
      data: { redelivery_id: 5, from: '2026-01-01T00:00:00.000Z', to: AT },
    }
    given(endpoints, registered).when(request('2026-01-01T00:00:00.000Z', AT)).then(requested)
    given(endpoints, registered).when(request(AT, '2026-01-01T00:00:00.000Z')).refuses('invalid', /later/)
    given(endpoints, registered, disabled(null))
      .when(request(AT, AT))
      .refuses('invalid', /disabled/)
    given(endpoints, registered, requested)
      .when(ask('finishRedelivery', { redelivery_id: 5, events: 3 }))
      .then({ type: 'WebhookRedeliveryOrdered', data: { redelivery_id: 5, events: 3 } })
    given(endpoints, registered)
      .when(ask('finishRedelivery', { redelivery_id: 5, events: 3 }))
      .thenNothing()
  })

  it('does not exist before and after its life', () => {
    for (const events of [[], [registered, { type: 'WebhookEndpointRemoved', data: {} }]]) {
      given(endpoints, ...events)
        .when(ask('ping'))
        .refuses('notFound', /missing/)
    }
  })
})
