import type { Publications } from '../../kernel/publication.ts'
import type { Resource } from '../../kernel/resource.ts'
import { workspace } from '../../kinds/operations.ts'
import { endpointAggregate } from './aggregate.ts'
import { endpointDocuments } from './documents.ts'
import { endpointOperations } from './operations.ts'
import { endpointView } from './view.ts'

/** What subscribers can learn of endpoints themselves. */
const publishes: Publications = {
  '$webhook.ping': {
    on: ['WebhookEndpointPinged'],
    about: 'A client asked for a test of the endpoint; sent to that endpoint alone.',
    addressed: true,
  },
  '$webhook.endpoint_disabled': {
    on: ['WebhookEndpointDisabled'],
    when: (event) => event.data.reason !== null,
    about: 'An endpoint is no longer called: it answered 410 Gone, or nothing succeeded for five days.',
    details: (event) => ({ reason: event.data.reason ?? null }),
  },
}

/**
 * Webhooks::Outgoing::Endpoint: what is subscribed to, and where it goes.
 *
 * @param keysWith every spelling of every subscribable event type, these included
 */
export const endpoint = (keysWith: (own: Resource) => readonly string[]): Resource => {
  const bare: Resource = {
    name: 'webhooks/outgoing/endpoint',
    tag: 'Webhooks::Outgoing::Endpoint',
    root: 'webhooks_outgoing_endpoint',
    category: 'webhooks',
    under: workspace,
    aggregate: endpointAggregate,
    documents: endpointDocuments,
    view: endpointView,
    operations: {},
    publishes,
  }
  return { ...bare, operations: endpointOperations(keysWith(bare)) }
}
