import type { Json, JsonObject } from '../../domain/kernel/values/event.ts'
import type { EventType } from '../../domain/webhooks/catalog.ts'
import { envelopeSchemas } from '../../domain/webhooks/payload.ts'
import { schemaName } from './schemas.ts'

const header = (name: string, description: string): JsonObject => ({
  name,
  in: 'header',
  required: true,
  schema: { type: 'string' },
  description,
})

const HEADERS: readonly JsonObject[] = [
  header('webhook-id', 'Equal to event_id: the same in every attempt'),
  header('webhook-timestamp', 'Unix seconds of this attempt'),
  header(
    'webhook-signature',
    'Standard Webhooks: `v1,` and the HMAC-SHA256 of id, timestamp and body; several, separated by spaces, while a secret is being rotated',
  ),
  header('X-Webhook-ClickFunnels-Timestamp', 'Unix seconds of this attempt'),
  header('X-Webhook-ClickFunnels-Signature', 'HMAC-SHA256 of `<timestamp>.<body>` in lower-case hexadecimal'),
]

const envelope = ({ resource }: EventType): JsonObject => ({
  type: 'object',
  required: [...Object.keys(envelopeSchemas), 'data'],
  properties: {
    ...(envelopeSchemas as unknown as JsonObject),
    data: { $ref: `#/components/schemas/${schemaName(resource)}Attributes` },
  },
})

const webhook = (type: EventType): JsonObject => ({
  post: {
    operationId: `webhook${type.key.replace(/[^a-z]+([a-z])/g, (_, letter: string) => letter.toUpperCase())}`,
    tags: [type.resource.title],
    summary: type.publication.about,
    parameters: HEADERS,
    requestBody: { required: true, content: { 'application/json': { schema: envelope(type) } } },
    responses: {
      '2XX': { description: 'Delivered (200 to 207 and 226; every other answer is tried again)' },
      410: { description: 'The endpoint is disabled' },
    },
    ...(type.publication.alias !== undefined && { 'x-alias': type.publication.alias }),
  },
})

/** Returns the `webhooks` section of the OpenAPI document: the deliveries to subscribers, by event type. */
export const webhooksOf = (types: readonly EventType[]): Readonly<Record<string, Json>> =>
  Object.fromEntries(types.map((type) => [type.key, webhook(type)]))
