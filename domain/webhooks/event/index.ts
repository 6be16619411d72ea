import { Type } from 'typebox'
import { recordOf } from '../../kernel/model/fold.ts'
import { list, show, textFilter, workspace } from '../../resources/operations.ts'
import type { Resource } from '../../resources/resource.ts'
import { nullableInteger, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { embeddedShape } from '../../resources/view.ts'
import { asks } from '../../resources/writes.ts'
import { byAlias, type EventType } from '../catalog.ts'
import { delivery, outgoingEvent, subjectOf } from './model.ts'
import { outgoingEvents } from './rules.ts'
import { spellingOf } from './spelling.ts'
import { deliverySchema, place, presentDelivery } from './view.ts'

const open = recordOf(delivery)

/** A delivery of an event to one endpoint, in the event's stream; shown with the event. */
export const deliveryResource = serve(delivery, outgoingEvents, {
  ids: 'timeOrdered',
  title: 'Webhooks::Outgoing::Event',
  root: 'webhooks_outgoing_delivery',
  category: 'webhooks',
  under: { param: 'event_id', resource: 'webhooks/outgoing/event', field: 'event_id' },
  indexes: [{ fields: ['pending_for'] }],
  shows: { schema: deliverySchema, present: (document, load) => presentDelivery(open(document), load) },
  operations: {},
})

/** Webhooks::Outgoing::Event: log of the events for subscribers, from which they can recover missed ones. */
export const outgoingEventResource = (types: readonly EventType[]): Resource => {
  const named = byAlias(types)
  return serve(outgoingEvent, outgoingEvents, {
    title: 'Webhooks::Outgoing::Event',
    root: 'webhooks_outgoing_event',
    category: 'webhooks',
    under: workspace,
    subjectField: 'resource',
    indexes: [
      { fields: ['workspace_id'], sort: 'created_at' },
      { fields: ['workspace_id', 'resource'] },
      { fields: ['workspace_id', 'resource'], sort: 'updated_at' },
    ],
    view: {
      event_type_id: { schema: nullableString, of: spellingOf(types) },
      data: {
        schema: Type.Record(Type.String(), Type.Unknown(), {
          description: 'The subject as it was when the event happened',
        }),
        of: async (event, load) => (await load.past(subjectOf(event))) ?? {},
      },
      api_version: { schema: nullableInteger, of: () => 2 },
      page: { one: 'page_id', shows: place },
      funnel: { one: 'funnel_id', shows: place },
      deliveries: { children: 'deliveries', shows: embeddedShape(deliveryResource) },
      updated_at: 'never',
    },
    operations: {
      listWebhooksOutgoingEvents: list('/workspaces/{workspace_id}/webhooks/outgoing/events', {
        filters: { event_type_id: { ...textFilter('event_type_id'), keptAs: (name) => named.get(name)?.key ?? name } },
      }),
      getWebhooksOutgoingEvents: show('/webhooks/outgoing/events/{id}'),
      redeliverWebhooksOutgoingEvents: asks('/webhooks/outgoing/events/{id}/redeliver', 'redeliver', {
        consequence: 'sends an event to another system again',
        beyondContract: true,
        summary: 'Sends the event again to every enabled endpoint that it was for',
      }),
    },
  })
}
