import { ask } from '../../domain/kernel/decide/ask.ts'
import { unknownPayment } from '../../domain/payments/public.ts'
import { accountMakers } from './records/account.ts'
import { blogMakers } from './records/blogs.ts'
import { communityMakers } from './records/communities.ts'
import { contact, contactTag, opportunity, pipeline, stage, suppression } from './records/contact.ts'
import { courseMakers } from './records/courses.ts'
import { domainMaker } from './records/domain.ts'
import { mailMakers } from './records/emails.ts'
import { formMakers } from './records/forms.ts'
import { funnel, page, split, testFunnelOf } from './records/funnels.ts'
import { creatable, firstOf, idOf, inWorkspace, type RecordMaker, unique } from './records/making.ts'
import {
  charged,
  checkout,
  invoice,
  movedLine,
  moveFields,
  order,
  orderTag,
  refunded,
  renewed,
  soldOf,
  subscribed,
} from './records/orders.ts'
import { platformMakers } from './records/platform.ts'
import { shippingMakers } from './records/shipping.ts'
import { price, product, variant } from './records/store.ts'
import { workflowMakers } from './records/workflows.ts'
import { imageUrl } from './servers/image-server.ts'
import type { Tenant } from './service.ts'
import { makeDelivery } from './traffic/purchase-traffic.ts'
import { makeOutgoingEvent } from './traffic/webhook-traffic.ts'

const purchaseEndpoint = creatable(
  async () => ({ name: unique('Endpoint'), provider: 'whop', live_mode: true }),
  inWorkspace('/webhooks/incoming/external_purchase_endpoints'),
  'webhooks_incoming_external_purchases_endpoint',
)
const gatewayAccount = creatable(
  async () => ({
    name: unique('Gateway'),
    provider: 'stripe',
    secret_key: 'sk_test_0123456789abcdef',
    publishable_key: unique('pk_test').replace(' ', '_'),
  }),
  inWorkspace('/payments/gateway_accounts'),
  'payments_gateway_account',
)
/** Has a payment told of that no order has, as only a gateway can. */
const unknownPaymentOf = async (tenant: Tenant): Promise<number> => {
  const wanted = {
    ...{ gateway_account_id: await gatewayAccount.make(tenant), event_id: unique('evt'), external_id: unique('pi') },
    ...{ amount: '12.50', currency: 'USD' },
  }
  if (!tenant.carryOut) throw new Error('a service in another process is told of payments by a gateway alone')
  return tenant.carryOut(ask(unknownPayment.aggregate, 'new', 'create', wanted))
}
/** One entry for every resource with operations; a suite fails when one is missing. */
export const recordMakers: Readonly<Record<string, RecordMaker>> = {
  team: { make: async (tenant) => tenant.teamId },
  user: { make: async (tenant) => (await tenant.api.get('/me')).body.id },
  workspace: {
    make: async (tenant) => tenant.workspaceId,
    by: { setWorkspacesAgents: async () => ({ confirmed_in: 'browser' }) },
  },
  ...accountMakers,
  contact,
  'contacts/tag': contactTag,
  'contacts/suppression': suppression,
  'contacts/applied_tag': creatable(
    async (tenant) => ({ tag_id: await contactTag.make(tenant) }),
    async (tenant) => `/contacts/${await contact.make(tenant)}/applied_tags`,
    'contacts_applied_tag',
  ),
  'contacts/tag_action': creatable(
    async (tenant) => ({ tag_ids: [await contactTag.make(tenant)], target_ids: [await contact.make(tenant)] }),
    inWorkspace('/contacts/tag_actions'),
    'contacts_tag_action',
  ),
  'contacts/export_action': creatable(
    async (tenant) => ({ fields: ['email_address'], target_ids: [await contact.make(tenant)] }),
    inWorkspace('/contacts/export_actions'),
    'contacts_export_action',
  ),
  'contacts/unsubscribe_action': creatable(
    async (tenant) => ({ target_ids: [await contact.make(tenant)] }),
    inWorkspace('/contacts/unsubscribe_actions'),
    'contacts_unsubscribe_action',
  ),
  'sales/pipeline': pipeline,
  'sales/pipelines/stage': stage,
  'sales/opportunity': opportunity,
  'sales/opportunities/note': creatable(
    async () => ({ content: unique('Note') }),
    async (tenant) => `/sales/opportunities/${await opportunity.make(tenant)}/notes`,
    'sales_opportunities_note',
  ),
  page: {
    ...page,
    by: {
      createExternalPage: async () => ({ external_url: `https://example.com/${unique('page').replace(' ', '-')}` }),
    },
  },
  funnel,
  'funnels/tag': creatable(
    async () => ({ name: unique('Funnel tag'), color: '#123456' }),
    inWorkspace('/funnels/tags'),
    'funnels_tag',
  ),
  'funnels/split_test_step': split(
    'split_test_steps',
    'split_test_step',
    async (tenant) => ({ variants: [{ page_id: (await testFunnelOf(tenant)).page }, {}] }),
    { updateFunnelSplitTestStep: async () => ({ variants: [{ weight: 40 }, { weight: 60 }] }) },
  ),
  'funnels/conditional_split_step': split(
    'conditional_split_steps',
    'conditional_split_step',
    async (tenant) => ({ branches: [{ page_id: await page.make(tenant) }, {}] }),
    { updateFunnelConditionalSplitStep: async () => ({ branches: [{}, {}] }) },
  ),
  product,
  'products/variant': {
    ...variant,
    by: { setProductsVariantsChangeOptions: async (tenant) => ({ upgrade_price_ids: [await price.make(tenant)] }) },
  },
  'products/price': price,
  'products/prices/change_option': price,
  'products/collection': creatable(
    async () => ({ name: unique('Collection') }),
    inWorkspace('/products/collections'),
    'products_collection',
  ),
  'products/tag': creatable(
    async () => ({ name: unique('Product tag'), color: '#123456' }),
    inWorkspace('/products/tags'),
    'products_tag',
  ),
  discount: creatable(
    async () => ({
      name: unique('Discount'),
      code: unique('SAVE').replace(' ', '-'),
      percent: '20',
      require_minimum_spend_amount: 10,
    }),
    inWorkspace('/discounts'),
    'discount',
  ),
  'store/tax_rate': creatable(
    async () => ({ name: unique('Tax'), country: 'US', region: 'CA', percent: '7.25' }),
    inWorkspace('/tax_rates'),
    'tax_rate',
  ),
  order: { ...order, makeFor: { cancelOrder: subscribed } },
  'orders/invoice': invoice,
  'orders/tag': orderTag,
  'orders/checkout': checkout,
  'orders/transaction': { make: charged },
  'orders/refund': { make: refunded },
  'orders/charge': { make: renewed },
  'orders/line_items/change': {
    fields: moveFields,
    owner: movedLine,
    async make(tenant) {
      const path = `/orders/line_items/${await movedLine(tenant)}/changes/perform`
      const { body } = await tenant.api.post(path, { orders_line_items_change: await moveFields(tenant) })
      return body.orders_line_items_change.new_line_item.id
    },
  },
  'orders/applied_tag': creatable(
    async (tenant) => ({ tag_id: await orderTag.make(tenant) }),
    async (tenant) => `/orders/${await order.make(tenant)}/applied_tags`,
    'orders_applied_tag',
  ),
  'payments/gateway_account': gatewayAccount,
  'payments/unknown_payment': { make: unknownPaymentOf },
  store: creatable(async () => ({ name: unique('Store'), seo_title: 'Shop' }), inWorkspace('/stores'), 'store'),
  ...platformMakers,
  ...shippingMakers,
  ...mailMakers,
  ...formMakers,
  ...workflowMakers,
  refine_filter: creatable(
    async () => ({ name: unique('Filter'), criteria: [{ attribute: 'first_name', clause: 'sw', value: 'Ad' }] }),
    inWorkspace('/refine_filters'),
    'refine_filter',
  ),
  'contacts/filter': {
    fields: async () => ({ text: 'unsubscribed' }),
    make: async (tenant) => {
      const body = { text: 'not unsubscribed', save: true }
      return idOf(await tenant.api.post(`/workspaces/${tenant.workspaceId}/contacts/filters`, body))
    },
  },
  download: creatable(
    async () => ({ name: unique('Book'), upload_source_url: await imageUrl() }),
    inWorkspace('/downloads'),
    'download',
  ),
  asset: {
    async make(tenant) {
      const id = await recordMakers.download!.make(tenant)
      return (await tenant.api.get(`/downloads/${id}`)).body.asset_id
    },
  },
  image: creatable(
    async () => ({ upload_source_url: await imageUrl(), name: unique('Image'), alt_text: 'A square' }),
    inWorkspace('/images'),
    'image',
  ),
  'addresses/country': { code: 'US', make: async () => 840 },
  'addresses/region': { make: async () => 840 },
  site: { make: async (tenant) => (await tenant.api.get(`/workspaces/${tenant.workspaceId}/site`)).body.id },
  domain: domainMaker,
  theme: { make: firstOf('/themes') },
  style: { make: firstOf('/styles') },
  'webhooks/outgoing/endpoint': {
    ...creatable(
      async () => ({
        url: 'https://hooks.example.com/',
        name: unique('Endpoint'),
        event_type_ids: ['$sales.opportunity_closed'],
      }),
      inWorkspace('/webhooks/outgoing/endpoints'),
      'webhooks_outgoing_endpoint',
    ),
    by: { redeliverWebhooksOutgoingEndpoints: async () => ({ from: '2026-01-01T00:00:00Z' }) },
  },
  'webhooks/incoming/external_purchase_endpoint': purchaseEndpoint,
  'webhooks/incoming/external_purchase_product_mapping': creatable(
    async (tenant) => {
      const { variant_id, ...at } = await soldOf(tenant)
      return { external_product_sku: unique('plan'), products_variant_id: variant_id, ...at }
    },
    async (tenant) =>
      `/webhooks/incoming/external_purchase_endpoints/${await purchaseEndpoint.make(tenant)}/product_mappings`,
    'external_purchase_product_mapping',
  ),
  'appointments/scheduled_event': {
    ...creatable(
      async (tenant) => ({
        start_on: '2026-05-04T09:00:00Z',
        end_on: '2026-05-04T09:30:00Z',
        tzid: 'Europe/Berlin',
        event_type: { name: 'First talk' },
        comments: 'Calls from the train',
        primary_contact_id: await contact.make(tenant),
      }),
      inWorkspace('/appointments/scheduled_events'),
      'appointments_scheduled_event',
    ),
    by: { rescheduleAppointmentsScheduledEvents: async () => ({ start_on: '2026-05-05T09:00:00Z' }) },
  },
  'webhooks/incoming/external_purchase_event': { make: makeDelivery },
  ...communityMakers,
  ...courseMakers,
  ...blogMakers,
  'webhooks/outgoing/event': { make: makeOutgoingEvent },
}
