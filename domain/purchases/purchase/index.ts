import { Type } from 'typebox'
import type { JsonObject } from '../../kernel/values/event.ts'
import { list, show, textFilter, workspace } from '../../resources/operations.ts'
import { nullable } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { underEndpoint } from '../providers.ts'
import { delivery, purchase } from './model.ts'
import { purchaseRules } from './rules.ts'

/** Groups the deliveries of one purchase; has no endpoints. */
export const purchaseResource = serve(purchase, purchaseRules, {
  title: 'Webhooks::Incoming::ExternalPurchases::Purchase',
  root: 'external_purchase',
  category: 'webhooks',
  under: workspace,
  // What is mailed about an order depends on the endpoint that it came to.
  indexes: [{ fields: ['order_id'] }],
  operations: {},
})

const beyondContract = true

/** Webhooks::Incoming::ExternalPurchases::Event: what a provider delivered, and the result. */
export const deliveryResource = serve(delivery, purchaseRules, {
  title: 'Webhooks::Incoming::ExternalPurchases::Event',
  root: 'external_purchase_event',
  category: 'webhooks',
  under: underEndpoint,
  person: 'contact_id',
  view: {
    payload: {
      expand: true,
      schema: nullable(
        Type.Record(Type.String(), Type.Unknown(), { description: 'As it came; null once the buyer has been erased' }),
      ),
      of: ({ body }) => (body === null ? null : (JSON.parse(body) as JsonObject)),
    },
  },
  operations: {
    listWebhooksIncomingExternalPurchaseEvents: list(
      '/webhooks/incoming/external_purchase_endpoints/{external_purchase_endpoint_id}/events',
      {
        beyondContract,
        filters: { event_type: textFilter('event_type'), processing_status: textFilter('processing_status') },
      },
    ),
    getWebhooksIncomingExternalPurchaseEvents: show('/webhooks/incoming/external_purchase_events/{id}', {
      beyondContract,
      expanded: ['payload'],
    }),
  },
})
