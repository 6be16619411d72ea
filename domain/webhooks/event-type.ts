import { type Static, Type } from 'typebox'
import type { JsonObject } from '../kernel/values/event.ts'
import { read, workspace } from '../resources/operations.ts'
import { readOnly } from '../resources/read-only.ts'
import type { Resource } from '../resources/resource.ts'
import { type EventType, uncausedKeys } from './catalog.ts'

const schema = Type.Object({
  id: Type.String({ description: 'The exact value for `event_type_ids`' }),
  topic: Type.String({ description: 'The leading part of the id' }),
  alias: Type.Union([
    Type.String({ description: 'Another name of the same type; an endpoint that asks by both gets each event once' }),
    Type.Null(),
  ]),
  subject_type: Type.String(),
  description: Type.String(),
  active: Type.Boolean({ description: 'Whether anything causes it yet' }),
})

type Entry = Omit<Static<typeof schema>, 'topic'>

const entriesOf = ({ key, publication: { alias, about }, resource: { title } }: EventType): readonly Entry[] => {
  const more = { subject_type: title, description: about, active: true }
  const named = { id: key, alias: alias ?? null, ...more }
  return alias === undefined ? [named] : [named, { id: alias, alias: key, ...more }]
}

/**
 * Returns every value that `event_type_ids` may hold, including keys that nothing causes yet. The contract calls this list complete
 * and the only source of keys.
 */
const listed = (types: readonly EventType[]): JsonObject[] =>
  [
    ...types.flatMap(entriesOf),
    ...uncausedKeys(types).map(
      ({ key: id, subject: subject_type, about: description }): Entry => ({
        id,
        alias: null,
        subject_type,
        description,
        active: false,
      }),
    ),
  ]
    .sort((a, b) => (a.id < b.id ? -1 : 1))
    .map((entry) => ({ ...entry, topic: entry.id.replace(/^\$|\..*$/g, '') }))

/** Webhooks::Outgoing::EventType: everything that an endpoint can subscribe to. */
export const eventType = (types: readonly EventType[]): Resource =>
  readOnly({
    name: 'webhooks/outgoing/event_type',
    title: 'Webhooks::Outgoing::EventType',
    root: 'webhooks_outgoing_event_type',
    category: 'webhooks',
    under: workspace,
    view: { schema, present: () => ({}) },
    operations: {
      listWebhooksOutgoingEventTypes: read('/webhooks/outgoing/event_types', {
        schema: Type.Array(schema),
        read: async () => listed(types),
      }),
    },
  })
