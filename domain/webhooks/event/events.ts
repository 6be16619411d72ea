import type { JsonObject } from '../../kernel/event.ts'
import { firstVersions } from '../../kernel/event-types.ts'

/** One attempt to deliver. `answer` is what the receiver answered, sealed under the person `answer_of` that it may speak of. */
interface Attempt extends JsonObject {
  readonly delivery_id: number
  readonly endpoint_id: number
  /** Counted from 1 over the whole life of the delivery. */
  readonly number: number
  readonly duration_ms: number
  readonly answer: string | null
  readonly answer_of: number | null
}

/** Storage formats. Nothing personal: the subject is named, and folded from its own stream whenever it is shown. */
export type OutgoingEvent =
  | {
      readonly type: 'WebhookEventPublished'
      readonly data: {
        /** 32 hexadecimal digits, derived from the cause; the `webhook-id` of every delivery. */
        readonly uuid: string
        readonly event_type_id: string
        readonly resource: string
        readonly subject_type: string
        readonly subject_id: number
        /** Stream and revision at which the subject is shown; `gone_from`: see PastSubject. */
        readonly subject_stream: string
        readonly sequence: number
        readonly gone_from: number
        readonly page_id: number | null
        readonly funnel_id: number | null
        readonly details: JsonObject | null
        /** One for every endpoint that subscribes to it; `disabled` ones were not called at the time. */
        readonly deliveries: readonly {
          readonly delivery_id: number
          readonly endpoint_id: number
          readonly disabled?: true
        }[]
      }
    }
  | { readonly type: 'WebhookDelivered'; readonly data: Attempt & { readonly status: number } }
  /** `retry_at` is null when it will not be tried again; `reason` says why there was no answer. */
  | {
      readonly type: 'WebhookAttemptFailed'
      readonly data: Attempt & {
        readonly status: number | null
        readonly reason: string | null
        readonly retry_at: string | null
      }
    }
  | {
      readonly type: 'WebhookDeliveryAbandoned'
      readonly data: { readonly delivery_id: number; readonly endpoint_id: number; readonly reason: string }
    }
  /** To be delivered again, or for the first time to an endpoint that it was not meant for before. */
  | {
      readonly type: 'WebhookDeliveryOrdered'
      readonly data: { readonly delivery_id: number; readonly endpoint_id: number; readonly subject_stream: string }
    }

export const outgoingEvents = firstVersions<OutgoingEvent['type']>(
  'WebhookEventPublished',
  'WebhookDelivered',
  'WebhookAttemptFailed',
  'WebhookDeliveryAbandoned',
  'WebhookDeliveryOrdered',
)
