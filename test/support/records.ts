import { setTimeout as sleep } from 'node:timers/promises'
import type { Answer } from './client.ts'
import { imageUrl } from './image-server.ts'
import { makeDelivery } from './purchase-traffic.ts'
import type { Tenant } from './service.ts'
import { shippingMakers } from './shipping-records.ts'
import { shopOf } from './shop.ts'
import { makeOutgoingEvent } from './webhook-traffic.ts'

/** How suites over all operations get a record of a resource, and a body that would make another. */
export interface RecordMaker {
  /** Fields that a creation accepts; for resources that clients can create. */
  fields?(tenant: Tenant): Promise<Record<string, unknown>>
  /** Fields that single operations accept instead, by operation id. */
  readonly by?: Readonly<Record<string, (tenant: Tenant) => Promise<Record<string, unknown>>>>
  /** Makes one that an operation can be done to, by operation id, where it can be done once or not to any. */
  readonly makeFor?: Readonly<Record<string, (tenant: Tenant) => Promise<number>>>
  /** The owner below which it is made, where that is always the same one. */
  owner?(tenant: Tenant): Promise<number>
  /** What paths name it by, where that is no id. */
  readonly code?: string
  /** Makes one, or names one that is there; gives its id. */
  make(tenant: Tenant): Promise<number>
}

/** What makers of other files are made with. */
export interface Makers {
  readonly creatable: typeof creatable
  readonly inWorkspace: typeof inWorkspace
  readonly unique: typeof unique
  readonly variant: RecordMaker
  readonly order: RecordMaker
}

let count = 0
const unique = (stem: string): string => `${stem} ${++count}`

const idOf = ({ status, body }: Answer): number => {
  if (status !== 201) throw new Error(`expected 201, got ${status} ${JSON.stringify(body)}`)
  return body.id as number
}

const creatable = (
  fields: (tenant: Tenant) => Promise<Record<string, unknown>>,
  path: (tenant: Tenant) => string | Promise<string>,
  root: string,
): RecordMaker & { fields(tenant: Tenant): Promise<Record<string, unknown>> } => ({
  fields,
  make: async (tenant) => idOf(await tenant.api.post(await path(tenant), { [root]: await fields(tenant) })),
})

const inWorkspace = (path: string) => (tenant: Tenant) => `/workspaces/${tenant.workspaceId}${path}`

const contact = creatable(
  async () => ({ email_address: `${unique('contact').replace(' ', '-')}@example.com`, first_name: 'Ada' }),
  inWorkspace('/contacts'),
  'contact',
)
const contactTag = creatable(
  async () => ({ name: unique('Tag'), color: '#123456' }),
  inWorkspace('/contacts/tags'),
  'contacts_tag',
)
const pipeline = creatable(
  async () => ({
    name: unique('Pipeline'),
    stages_attributes: [
      { name: 'New', close_probability: 20 },
      { name: 'Won', close_probability: 100 },
    ],
  }),
  inWorkspace('/sales/pipelines'),
  'sales_pipeline',
)
const stage = creatable(
  async () => ({ name: unique('Stage'), close_probability: 50, sort_order: 0 }),
  async (tenant) => `/sales/pipelines/${await pipeline.make(tenant)}/stages`,
  'sales_pipelines_stage',
)
const opportunity = creatable(
  async (tenant) => ({
    name: unique('Opportunity'),
    pipelines_stage_id: await stage.make(tenant),
    primary_contact_id: await contact.make(tenant),
    value: '12.50',
  }),
  inWorkspace('/sales/opportunities'),
  'sales_opportunity',
)

const page = creatable(async () => ({ name: unique('Page'), description: 'A page' }), inWorkspace('/pages'), 'page')
const funnel = creatable(async () => ({ name: unique('Funnel'), live_mode: false }), inWorkspace('/funnels'), 'funnel')

const product = creatable(
  async () => ({ name: unique('Product'), variant_properties: [{ name: 'Size' }] }),
  inWorkspace('/products'),
  'product',
)
/** The product of a tenant that its variants are made of, and its property. */
const shirts = new WeakMap<Tenant, Promise<{ readonly id: number; readonly variant_properties: { id: number }[] }>>()
const shirtOf = (tenant: Tenant) => {
  const made =
    shirts.get(tenant) ?? product.make(tenant).then(async (id) => (await tenant.api.get(`/products/${id}`)).body)
  shirts.set(tenant, made)
  return made
}
const variant = {
  ...creatable(
    async (tenant) => ({
      name: unique('Variant'),
      sku: 'SH-1',
      properties_values: [{ property_id: (await shirtOf(tenant)).variant_properties[0]!.id, value: unique('L') }],
    }),
    async (tenant) => `/products/${(await shirtOf(tenant)).id}/variants`,
    'products_variant',
  ),
  owner: async (tenant: Tenant) => (await shirtOf(tenant)).id,
}
const price = creatable(
  async () => ({ name: unique('Price'), amount: '97.00', payment_type: 'subscription', interval: 'months' }),
  async (tenant) => `/products/variants/${await variant.make(tenant)}/prices`,
  'products_price',
)

/** What a tenant's orders are of: a variant and a price that is paid once. */
const sold = new WeakMap<Tenant, Promise<{ readonly variant_id: number; readonly products_price_id: number }>>()
const soldOf = (tenant: Tenant) => {
  const made =
    sold.get(tenant) ??
    variant.make(tenant).then(async (variant_id) => {
      const fields = { products_price: { amount: '12.50' } }
      const products_price_id = idOf(await tenant.api.post(`/products/variants/${variant_id}/prices`, fields))
      return { variant_id, products_price_id }
    })
  sold.set(tenant, made)
  return made
}
const order = creatable(
  async (tenant) => ({
    order_type: 'one-time-order',
    live_mode: true,
    contact_id: await contact.make(tenant),
    line_items_attributes: [{ ...(await soldOf(tenant)), quantity: 2 }],
    shipping_address_city: 'Berlin',
    notes: 'Rings twice',
  }),
  inWorkspace('/orders'),
  'order',
)
const invoice = creatable(
  async () => ({ external_id: unique('bill'), status: 'paid', paid_at: '2026-01-01T00:00:00Z' }),
  async (tenant) => `/orders/${await order.make(tenant)}/invoices`,
  'orders_invoice',
)
const orderTag = creatable(
  async () => ({ name: unique('Order tag'), color: '#123456' }),
  inWorkspace('/orders/tags'),
  'orders_tag',
)

const purchaseEndpoint = creatable(
  async () => ({ name: unique('Endpoint'), provider: 'whop', live_mode: true }),
  inWorkspace('/webhooks/incoming/external_purchase_endpoints'),
  'webhooks_incoming_external_purchases_endpoint',
)
const checkout = creatable(
  async (tenant) => ({
    ...{ contact_id: await contact.make(tenant), live_mode: false, payment_method_id: 'approved' },
    line_items_attributes: [{ ...(await soldOf(tenant)), quantity: 2 }],
  }),
  inWorkspace('/checkouts'),
  'checkout',
)
/** What is there when a checkout has placed its order. */
const bought = async (tenant: Tenant, more: object = {}) => {
  const fields = { ...(await checkout.fields(tenant)), ...more }
  const id = idOf(await tenant.api.post(`/workspaces/${tenant.workspaceId}/checkouts`, { checkout: fields }))
  for (;;) {
    const { body } = await tenant.api.get(`/checkouts/${id}`)
    if (body.status === 'undone') throw new Error(`a checkout of a test was undone: ${body.because}`)
    if (body.status === 'completed') return body.order_id as number
    await sleep(5)
  }
}
const charged = async (tenant: Tenant): Promise<number> => {
  const [sale] = (await tenant.api.get(`/orders/${await bought(tenant)}/transactions`)).body
  return sale.id
}
const subscribed = async (tenant: Tenant): Promise<number> => {
  const price = { amount: 30, payment_type: 'subscription', interval: 'months' }
  const { variant_id } = await soldOf(tenant)
  const path = `/products/variants/${variant_id}/prices`
  const products_price_id = idOf(await tenant.api.post(path, { products_price: price }))
  return bought(tenant, { line_items_attributes: [{ variant_id, products_price_id, quantity: 1 }] })
}
/** A subscription that can move between two prices, again and again. */
const movable = new WeakMap<Tenant, Promise<{ readonly orderId: number; readonly line: number }>>()
const movableOf = (tenant: Tenant) => {
  const known = movable.get(tenant)
  if (known) return known
  const made = subscribed(tenant).then(async (orderId) => {
    const [line] = (await tenant.api.get(`/orders/${orderId}`)).body.line_items
    const path = `/products/variants/${line.products_variant.id}`
    const dearer = { amount: 50, payment_type: 'subscription', interval: 'months' }
    const other = idOf(await tenant.api.post(`${path}/prices`, { products_price: dearer }))
    const upgrade_price_ids = [line.products_price.id, other]
    await tenant.api.put(`${path}/change_options`, { products_variant: { upgrade_price_ids } })
    return { orderId, line: line.id as number }
  })
  movable.set(tenant, made)
  return made
}
/** To the price that the line item does not have. */
const moved = async (tenant: Tenant) => {
  const { orderId } = await movableOf(tenant)
  const [{ products_price: held }] = (await tenant.api.get(`/orders/${orderId}`)).body.line_items
  const { upgrade } = (await tenant.api.get(`/products/prices/${held.id}/change_options`)).body
  return { products_price_id: upgrade[0].products_variant.prices[0].id as number, effective_time: 'next_renewal' }
}
const movedLine = async (tenant: Tenant) => (await movableOf(tenant)).line
/** Of a subscription whose trial is over; its workspace is for tests. */
const renewed = async (tenant: Tenant): Promise<number> => {
  const [known] = (await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders/charges`)).body
  if (known) return known.id
  const shop = await shopOf(tenant)
  const trial = { trial_interval: 'days', trial_duration: 1, trial_amount: 0 }
  await shop.buys(await shop.sells({ amount: 30, payment_type: 'subscription', interval: 'years', ...trial }))
  await shop.passes(2)
  return renewed(tenant)
}
const refunded = async (tenant: Tenant): Promise<number> => {
  await tenant.api.post(`/orders/transactions/${await charged(tenant)}/refund`)
  for (;;) {
    const { body } = await tenant.api.get(`/workspaces/${tenant.workspaceId}/orders/refunds?sort_order=desc`)
    if (body[0]) return body[0].id
    await sleep(5)
  }
}

/** A funnel of the tenant with a page on it that can be tested again and again. */
const trial = new WeakMap<Tenant, Promise<{ readonly funnel: number; readonly page: number }>>()
const trialOf = (tenant: Tenant) => {
  const known = trial.get(tenant)
  if (known) return known
  const made = funnel.make(tenant).then(async (id) => {
    const placed = { page: { name: unique('Page'), funnel: { funnel_id: id } } }
    return { funnel: id, page: idOf(await tenant.api.post(`/workspaces/${tenant.workspaceId}/pages`, placed)) }
  })
  trial.set(tenant, made)
  return made
}

const split = (
  kind: string,
  root: string,
  fields: RecordMaker['fields'] & {},
  by: RecordMaker['by'] & {},
): RecordMaker => {
  const owner = async (tenant: Tenant) => (await trialOf(tenant)).funnel
  const make = async (tenant: Tenant) =>
    idOf(await tenant.api.post(`/funnels/${await owner(tenant)}/${kind}`, { [root]: await fields(tenant) }))
  return { fields, by, owner, make }
}

const firstOf =
  (path: string) =>
  async (tenant: Tenant): Promise<number> =>
    (await tenant.api.get(`/workspaces/${tenant.workspaceId}${path}`)).body[0].id

/** One entry for every resource with operations; a suite fails when one is missing. */
export const recordMakers: Readonly<Record<string, RecordMaker>> = {
  team: { make: async (tenant) => tenant.teamId },
  user: { make: async (tenant) => (await tenant.api.get('/me')).body.id },
  workspace: { make: async (tenant) => tenant.workspaceId },
  contact,
  'contacts/tag': contactTag,
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
    async (tenant) => ({ variants: [{ page_id: (await trialOf(tenant)).page }, {}] }),
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
    fields: moved,
    owner: movedLine,
    async make(tenant) {
      const path = `/orders/line_items/${await movedLine(tenant)}/changes/perform`
      return (await tenant.api.post(path, { orders_line_items_change: await moved(tenant) })).body.new_line_item.id
    },
  },
  'orders/applied_tag': creatable(
    async (tenant) => ({ tag_id: await orderTag.make(tenant) }),
    async (tenant) => `/orders/${await order.make(tenant)}/applied_tags`,
    'orders_applied_tag',
  ),
  store: creatable(async () => ({ name: unique('Store'), seo_title: 'Shop' }), inWorkspace('/stores'), 'store'),
  ...shippingMakers({ creatable, inWorkspace, unique, variant, order }),
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
  domain: { make: firstOf('/domains') },
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
  'webhooks/outgoing/event': { make: makeOutgoingEvent },
}
