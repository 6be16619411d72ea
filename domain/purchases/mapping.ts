import { decider } from '../kernel/decide/decider.ts'
import { type DecisionContext, type Reader, rules } from '../kernel/decide/rules.ts'
import type { Field } from '../kernel/model/field.ts'
import { reference, text } from '../kernel/model/fields.ts'
import { model } from '../kernel/model/model.ts'
import { refuse } from '../kernel/values/refusal.ts'
import { crud } from '../resources/crud.ts'
import { serve } from '../resources/serve.ts'
import { named } from '../resources/view.ts'
import { price, priceNamed, variant } from '../store/public.ts'
import { MAPPING, underEndpoint } from './providers.ts'

/** Variant and price that stand for a plan of a provider. */
export const mapping = model(MAPPING, {
  attributes: {
    external_purchase_endpoint_id: reference('webhooks/incoming/external_purchase_endpoint', {
      required: true,
      onTargetEnd: { act: 'remove' },
    }),
    external_product_sku: text({ required: true, about: 'The id of the plan at the provider' }),
    products_variant_id: reference('products/variant', { required: true, shown: 'never' }),
    products_price_id: reference('products/price', { required: true, shown: 'never' }),
    product_id: reference('product', { required: true, shown: 'never' }),
  },
  events: {
    ExternalProductMapped: { creates: true },
    ExternalProductMappingChanged: { changes: 'rest' },
    ExternalProductMappingRemoved: { ends: true },
  },
  unique: [
    {
      attributes: ['external_product_sku'],
      within: 'external_purchase_endpoint_id',
      says: 'External product sku has already been taken',
    },
  ],
})

type Mapping = DecisionContext<typeof mapping>

const loadFacts = async ({ after }: Mapping, read: Reader) => ({
  variant: await read.one(variant, after.products_variant_id),
  price: await read.one(price, after.products_price_id),
})
type Facts = Awaited<ReturnType<typeof loadFacts>>

const place = (_: Mapping, { variant: foundVariant, price: foundPrice }: Facts) => {
  if (!foundVariant || !foundPrice) return refuse.notFound()
  return foundVariant.product_id === foundPrice.product_id
    ? { product_id: foundVariant.product_id }
    : refuse.invalid("Products price must be one of the variant's product", 'products_price_id', 'invalid')
}

/** Rules of a product mapping. */
export const mappings = decider(mapping, { rules: rules(mapping, { loadFacts, save: [place] }) })

/**
 * Removes the reference check of a field: the rules look it up themselves, because here a missing record is answered
 * with 404.
 */
const withoutReferenceCheck = ({ refersTo: _, ...field }: Field): Field => field
const input = {
  products_variant_id: withoutReferenceCheck(mapping.attributes.products_variant_id),
  products_price_id: withoutReferenceCheck(mapping.attributes.products_price_id),
}
const sent = { beyondContract: true, input, except: ['external_purchase_endpoint_id', 'product_id'] }

const OF_ENDPOINT = '/webhooks/incoming/external_purchase_endpoints/{external_purchase_endpoint_id}/product_mappings'
const ONE = '/webhooks/incoming/external_purchase_product_mappings/{id}'
const beyondContract = true

/** Webhooks::Incoming::ExternalPurchases::ProductMapping: the variant and price that stand for a plan of a provider. */
export const mappingResource = serve(mapping, mappings, {
  title: 'Webhooks::Incoming::ExternalPurchases::ProductMapping',
  root: 'external_purchase_product_mapping',
  category: 'webhooks',
  under: underEndpoint,
  indexes: [{ fields: ['external_purchase_endpoint_id', 'external_product_sku'] }],
  view: {
    clickfunnels_product: { one: 'product_id', shows: named },
    clickfunnels_variant: { one: 'products_variant_id', shows: named },
    clickfunnels_price: { one: 'products_price_id', shows: priceNamed },
  },
  operations: crud('WebhooksIncomingExternalPurchaseProductMappings', OF_ENDPOINT, ONE, {
    list: { beyondContract },
    create: { ...sent, consequence: 'decides what buyers elsewhere get' },
    show: { beyondContract },
    change: { ...sent, method: 'PATCH', consequence: 'decides what buyers elsewhere get' },
    remove: { beyondContract },
  }),
})
