import { firstVersions } from '../../kernel/event-types.ts'

/** Why Millrace stopped calling an endpoint by itself. */
export type DisabledReason = 'gone' | 'failing'

/** Storage formats. Secrets are derived from nonces (see kernel/ports/secrets.ts). */
export type EndpointEvent =
  | {
      readonly type: 'WebhookEndpointRegistered'
      readonly data: {
        readonly url: string
        readonly name: string
        readonly event_type_ids: readonly string[]
        readonly page_ids: readonly number[] | null
        readonly funnel_ids: readonly number[] | null
        readonly secret_nonce: string
      }
    }
  | { readonly type: 'WebhookEndpointRenamed'; readonly data: { readonly name: string } }
  | { readonly type: 'WebhookEndpointRedirected'; readonly data: { readonly url: string } }
  | { readonly type: 'WebhookEndpointSubscribed'; readonly data: { readonly event_type_ids: readonly string[] } }
  | {
      readonly type: 'WebhookEndpointScoped'
      readonly data: { readonly page_ids: readonly number[] | null; readonly funnel_ids: readonly number[] | null }
    }
  /** Until `previous_until` requests are signed with the secret before as well. */
  | {
      readonly type: 'WebhookEndpointSecretRotated'
      readonly data: { readonly secret_nonce: string; readonly previous_until: string }
    }
  | { readonly type: 'WebhookEndpointPinged'; readonly data: Record<string, never> }
  /** No attempt has succeeded since `since`. */
  | { readonly type: 'WebhookEndpointFailing'; readonly data: { readonly since: string } }
  | { readonly type: 'WebhookEndpointRecovered'; readonly data: Record<string, never> }
  /** `reason` is null when a client did it. */
  | { readonly type: 'WebhookEndpointDisabled'; readonly data: { readonly reason: DisabledReason | null } }
  | { readonly type: 'WebhookEndpointEnabled'; readonly data: Record<string, never> }
  | {
      readonly type: 'WebhookRedeliveryRequested'
      readonly data: { readonly redelivery_id: number; readonly from: string; readonly to: string }
    }
  | {
      readonly type: 'WebhookRedeliveryOrdered'
      readonly data: { readonly redelivery_id: number; readonly events: number }
    }
  | { readonly type: 'WebhookEndpointRemoved'; readonly data: Record<string, never> }

export const endpointEvents = firstVersions<EndpointEvent['type']>(
  'WebhookEndpointRegistered',
  'WebhookEndpointRenamed',
  'WebhookEndpointRedirected',
  'WebhookEndpointSubscribed',
  'WebhookEndpointScoped',
  'WebhookEndpointSecretRotated',
  'WebhookEndpointPinged',
  'WebhookEndpointFailing',
  'WebhookEndpointRecovered',
  'WebhookEndpointDisabled',
  'WebhookEndpointEnabled',
  'WebhookRedeliveryRequested',
  'WebhookRedeliveryOrdered',
  'WebhookEndpointRemoved',
)
