import { choice, flag, list as listOf, moment } from '../../kernel/model/fields.ts'
import { list, show, workspace } from '../../resources/operations.ts'
import type { Resource } from '../../resources/resource.ts'
import { serve } from '../../resources/serve.ts'
import { asks, changes, creates, removes } from '../../resources/writes.ts'
import { endpoint } from './model.ts'
import { endpoints } from './rules.ts'
import { revealedSecret } from './secrets.ts'

/** Kind of the ids of redeliveries, which have no records of their own. */
const REDELIVERY = { name: 'webhooks/outgoing/redelivery' }

const ENDPOINTS = '/workspaces/{workspace_id}/webhooks/outgoing/endpoints'

/**
 * Webhooks::Outgoing::Endpoint: a subscription to event types, with the address that receives the events.
 *
 * @param keys every spelling of every event type that an endpoint can subscribe to
 */
export const endpointResource = (keys: readonly string[]): Resource => {
  const about = 'Keys of GET /webhooks/outgoing/event_types; at least one on creation. Replaces the ones before'
  const enabled = flag({ about: 'Whether new events are sent to it. Beyond the contract' })
  return serve(endpoint, endpoints, {
    title: 'Webhooks::Outgoing::Endpoint',
    root: 'webhooks_outgoing_endpoint',
    category: 'webhooks',
    under: workspace,
    operations: {
      listWebhooksOutgoingEndpoints: list(ENDPOINTS),
      createWebhooksOutgoingEndpoints: creates(ENDPOINTS, {
        consequence: 'sends what happens here to another address',
        input: { event_type_ids: listOf(choice(keys), { about, required: true }), enabled },
        reveals: revealedSecret,
        targets: ['url'],
        wanted: (input) => ({ ...input.fields, nonce: input.uuid() }),
      }),
      getWebhooksOutgoingEndpoints: show('/webhooks/outgoing/endpoints/{id}'),
      updateWebhooksOutgoingEndpoints: changes('/webhooks/outgoing/endpoints/{id}', {
        consequence: 'changes where what happens here is sent',
        input: { event_type_ids: listOf(choice(keys), { about }), enabled },
        targets: ['url'],
      }),
      removeWebhooksOutgoingEndpoints: removes('/webhooks/outgoing/endpoints/{id}'),
      pingWebhooksOutgoingEndpoints: asks('/webhooks/outgoing/endpoints/{id}/ping', 'ping', {
        consequence: null,
        beyondContract: true,
        summary: 'Sends a $webhook.ping event to the endpoint, whatever it subscribes to',
      }),
      rotateSecretWebhooksOutgoingEndpoints: asks('/webhooks/outgoing/endpoints/{id}/rotate_secret', 'rotate', {
        consequence: 'changes a secret that others use',
        beyondContract: true,
        summary: 'Makes a new secret; the one before stays valid for 24 hours',
        reveals: revealedSecret,
        wanted: (input) => ({ nonce: input.uuid() }),
      }),
      endFormerSecretsWebhooksOutgoingEndpoints: asks(
        '/webhooks/outgoing/endpoints/{id}/end_former_secrets',
        'endFormerSecrets',
        {
          consequence: 'ends secrets that others may still use',
          beyondContract: true,
          summary: 'Ends all former secrets at once; from now on only the present one signs',
        },
      ),
      redeliverWebhooksOutgoingEndpoints: asks('/webhooks/outgoing/endpoints/{id}/redeliver', 'redeliver', {
        consequence: 'sends many events to other systems again',
        beyondContract: true,
        summary: 'Sends every event of a stretch of time again that the endpoint subscribes to',
        body: {
          root: 'webhooks_outgoing_redelivery',
          fields: { from: moment({ required: true }), to: moment({ dateAlone: 'ends', about: 'Default: now' }) },
          mode: 'create',
        },
        wanted: (input) => ({
          redelivery_id: input.mint(REDELIVERY),
          from: String(input.fields.from),
          to: String(input.fields.to ?? input.at),
        }),
      }),
    },
    publishes: {
      '$webhook.ping': {
        on: ['WebhookEndpointPinged'],
        about: 'A client asked for a test of the endpoint; sent to that endpoint alone.',
        addressed: true,
      },
      '$webhook.endpoint_disabled': {
        on: ['WebhookEndpointDisabled'],
        when: ({ data }) => data.reason !== null,
        about: 'An endpoint is no longer called: it answered 410 Gone, or nothing succeeded for five days.',
        details: ({ data }) => ({ reason: data.reason ?? null }),
      },
    },
  })
}
