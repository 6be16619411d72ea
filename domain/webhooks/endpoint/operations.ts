import type { FieldTable } from '../../kernel/field.ts'
import { choice, flag, integer, list as listOf, moment, text } from '../../kernel/fields.ts'
import type { Operation } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { act, change, create, list, remove, show } from '../../kinds/operations.ts'
import type { EndpointCommand, EndpointFields } from './decide.ts'
import { revealedSecret } from './secrets.ts'

const ROOT = 'webhooks_outgoing_endpoint'
const COLLECTION = '/workspaces/{workspace_id}/webhooks/outgoing/endpoints'
const HTTP = { test: /^https?:\/\/\S+$/i, says: 'must be an http or https URL' }

const fieldsFor = (keys: readonly string[]): FieldTable => ({
  url: text({ required: true, max: 2048, form: HTTP }),
  name: text({ required: true }),
  event_type_ids: listOf(choice(keys), {
    about: 'Keys of GET /webhooks/outgoing/event_types; at least one on creation. Replaces the ones before',
  }),
  page_ids: listOf(integer({ min: 1 }), { nullable: true, about: 'Only events from these pages; null or [] for any' }),
  funnel_ids: listOf(integer({ min: 1 }), {
    nullable: true,
    about: 'Only events from these funnels; null or [] for any',
  }),
  enabled: flag({ about: 'Whether new events are sent to it. Beyond the contract' }),
})

const redelivery: FieldTable = {
  from: moment({ required: true }),
  to: moment({ about: 'Default: now' }),
}

/** @param keys every spelling of every event type that an endpoint can subscribe to */
export const endpointOperations = (keys: readonly string[]): Readonly<Record<string, Operation>> => {
  const fields = fieldsFor(keys)
  return {
    listWebhooksOutgoingEndpoints: list(COLLECTION),
    createWebhooksOutgoingEndpoints: create(COLLECTION, ROOT, fields, {
      reveals: revealedSecret,
      targets: ['url'],
      command: (input): EndpointCommand => ({
        type: 'RegisterEndpoint',
        fields: input.fields as EndpointFields,
        nonce: input.uuid(),
        ...basics(input),
      }),
    }),
    getWebhooksOutgoingEndpoints: show('/webhooks/outgoing/endpoints/{id}'),
    updateWebhooksOutgoingEndpoints: change('/webhooks/outgoing/endpoints/{id}', ROOT, fields, {
      targets: ['url'],
      command: (input): EndpointCommand => ({
        type: 'ChangeEndpoint',
        fields: input.fields as EndpointFields,
        ...basics(input),
      }),
    }),
    removeWebhooksOutgoingEndpoints: remove('/webhooks/outgoing/endpoints/{id}', {
      command: (input): EndpointCommand => ({ type: 'RemoveEndpoint', ...basics(input) }),
    }),
    pingWebhooksOutgoingEndpoints: act('/webhooks/outgoing/endpoints/{id}/ping', {
      summary: 'Sends a $webhook.ping event to the endpoint, whatever it subscribes to',
      command: (input): EndpointCommand => ({ type: 'PingEndpoint', ...basics(input) }),
    }),
    rotateSecretWebhooksOutgoingEndpoints: act('/webhooks/outgoing/endpoints/{id}/rotate_secret', {
      summary: 'Makes a new secret; the one before stays good for 24 hours',
      reveals: revealedSecret,
      command: (input): EndpointCommand => ({ type: 'RotateSecret', nonce: input.uuid(), ...basics(input) }),
    }),
    redeliverWebhooksOutgoingEndpoints: act('/webhooks/outgoing/endpoints/{id}/redeliver', {
      summary: 'Sends every event of a stretch of time again that the endpoint subscribes to',
      body: { root: 'webhooks_outgoing_redelivery', fields: redelivery, mode: 'create' },
      command: (input): EndpointCommand => ({
        type: 'RequestRedelivery',
        redeliveryId: input.mint('webhooks/outgoing/redelivery'),
        from: String(input.fields.from),
        to: String(input.fields.to ?? input.at),
        ...basics(input),
      }),
    }),
  }
}
