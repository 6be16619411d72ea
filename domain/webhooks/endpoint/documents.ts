import type { JsonObject, RecordedEvent } from '../../kernel/event.ts'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { Documents } from '../../kernel/resource.ts'
import type { EndpointEvent } from './events.ts'

/** Nonces that the secrets of an endpoint are derived from. */
export interface SecretNonces extends JsonObject {
  readonly nonce: string
  /** The one before, which is still good until `previous_until`. */
  readonly previous: string | null
  readonly previous_until: string | null
}

/** A redelivery whose events have not all been ordered yet. */
export interface OpenRedelivery extends JsonObject {
  readonly id: number
  readonly from: string
  readonly to: string
}

/** An endpoint as its document keeps it. */
export interface EndpointDocument extends Document {
  readonly id: number
  readonly workspace_id: number
  readonly url: string
  readonly event_type_ids: readonly string[]
  readonly page_ids: readonly number[] | null
  readonly funnel_ids: readonly number[] | null
  readonly enabled: boolean
  readonly failing_since: string | null
  readonly secret: SecretNonces
  readonly redeliveries: readonly OpenRedelivery[]
}

/** What every endpoint has; the projection may be shown events of one that is gone again. */
const EMPTY: JsonObject = {
  api_version: 2,
  enabled: true,
  disabled_reason: null,
  failing_since: null,
  secret: { nonce: '', previous: null, previous_until: null },
  redeliveries: [],
}

const step = (document: JsonObject, event: EndpointEvent): JsonObject => {
  switch (event.type) {
    case 'WebhookEndpointRegistered': {
      const { secret_nonce: nonce, ...fields } = event.data
      return { ...document, ...fields, secret: { nonce, previous: null, previous_until: null } }
    }
    case 'WebhookEndpointSecretRotated': {
      const { secret_nonce: nonce, previous_until } = event.data
      return { ...document, secret: { nonce, previous: (document.secret as SecretNonces).nonce, previous_until } }
    }
    case 'WebhookEndpointFailing':
      return { ...document, failing_since: event.data.since }
    case 'WebhookEndpointRecovered':
      return { ...document, failing_since: null }
    case 'WebhookEndpointDisabled':
      return { ...document, enabled: false, disabled_reason: event.data.reason ?? 'client' }
    case 'WebhookEndpointEnabled':
      return { ...document, enabled: true, disabled_reason: null, failing_since: null }
    case 'WebhookRedeliveryRequested': {
      const { redelivery_id: id, from, to } = event.data
      return { ...document, redeliveries: [...(document.redeliveries as readonly OpenRedelivery[]), { id, from, to }] }
    }
    case 'WebhookRedeliveryOrdered': {
      const open = (document.redeliveries as readonly OpenRedelivery[]).filter(
        ({ id }) => id !== event.data.redelivery_id,
      )
      return { ...document, redeliveries: open }
    }
    case 'WebhookEndpointPinged':
    case 'WebhookEndpointRemoved':
      return document
    default:
      return { ...document, ...event.data }
  }
}

export const endpointDocuments: Documents = {
  version: 1,
  evolve: (document, event) =>
    event.type === 'WebhookEndpointRemoved'
      ? undefined
      : step(document ?? EMPTY, event as RecordedEvent & EndpointEvent),
}
