import { Type } from 'typebox'
import type { Resource } from '../../kernel/resource.ts'
import { basics } from '../../kinds/former.ts'
import { act, list, show, textFilter, workspace } from '../../kinds/operations.ts'
import { type OutgoingCommand, outgoingAggregate } from './aggregate.ts'
import { deliveryDocuments, outgoingDocuments } from './documents.ts'
import { outgoingView } from './view.ts'

/** Webhooks::Outgoing::Event: the log of what subscribers were told, to recover from. */
export const outgoingEvent: Resource = {
  name: 'webhooks/outgoing/event',
  tag: 'Webhooks::Outgoing::Event',
  root: 'webhooks_outgoing_event',
  category: 'webhooks',
  under: workspace,
  aggregate: outgoingAggregate,
  documents: outgoingDocuments,
  view: outgoingView,
  operations: {
    listWebhooksOutgoingEvents: list('/workspaces/{workspace_id}/webhooks/outgoing/events', {
      filters: { event_type_id: textFilter('event_type_id') },
    }),
    getWebhooksOutgoingEvents: show('/webhooks/outgoing/events/{id}'),
    redeliverWebhooksOutgoingEvents: act('/webhooks/outgoing/events/{id}/redeliver', {
      summary: 'Sends the event again to every enabled endpoint that it was for',
      command: (input): OutgoingCommand => ({ type: 'RedeliverEvent', only: null, ...basics(input) }),
    }),
  },
}

/** A delivery of an event to one endpoint, in the event's stream; shown with the event. */
export const delivery: Resource = {
  ids: 'timeOrdered',
  name: 'webhooks/outgoing/delivery',
  tag: 'Webhooks::Outgoing::Event',
  root: 'webhooks_outgoing_delivery',
  category: 'webhooks',
  under: { param: 'event_id', resource: 'webhooks/outgoing/event', field: 'event_id' },
  aggregate: outgoingAggregate,
  documents: deliveryDocuments,
  view: { schema: Type.Object({}), present: () => ({}) },
  operations: {},
}
