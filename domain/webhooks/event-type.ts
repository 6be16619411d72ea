import { Type } from 'typebox'
import type { JsonObject } from '../kernel/event.ts'
import type { Resource } from '../kernel/resource.ts'
import { read, workspace } from '../kinds/operations.ts'
import { readOnly } from '../kinds/read-only.ts'
import { nullableString } from '../kinds/schemas.ts'
import type { EventType } from './catalog.ts'

const schema = Type.Object({
  id: Type.String({ description: 'The exact value for `event_type_ids`' }),
  topic: Type.String(),
  alias: nullableString,
  subject_type: Type.String(),
  description: Type.String(),
})

const presentType = ({ key, topic, publication, resource }: EventType): JsonObject => ({
  id: key,
  topic,
  alias: publication.alias ?? null,
  subject_type: resource.tag,
  description: publication.about,
})

/** Webhooks::Outgoing::EventType: everything that an endpoint can subscribe to. */
export const eventType = (types: readonly EventType[]): Resource =>
  readOnly({
    name: 'webhooks/outgoing/event_type',
    tag: 'Webhooks::Outgoing::EventType',
    root: 'webhooks_outgoing_event_type',
    category: 'webhooks',
    under: workspace,
    view: { schema, present: () => ({}) },
    operations: {
      listWebhooksOutgoingEventTypes: read('/webhooks/outgoing/event_types', {
        schema: Type.Array(schema),
        read: async () => types.map(presentType),
      }),
    },
  })
