import { Type } from 'typebox'
import { data, list as listOf, reference } from '../../kernel/model/fields.ts'
import { settingEvents } from '../../kernel/model/model.ts'
import type { Json, JsonObject } from '../../kernel/values/event.ts'
import { pathFrom } from '../../resources/attributes/made-path.ts'
import { byId, flagFilter, list, show, workspace } from '../../resources/operations.ts'
import { nullable, nullableInteger, nullableString } from '../../resources/schemas.ts'
import { serve } from '../../resources/serve.ts'
import { asks, changes, creates } from '../../resources/writes.ts'
import { added, sentIncludes } from './includes.ts'
import { product, variant } from './model.ts'
import { sentProperty, sentValue } from './properties.ts'
import { products } from './rules.ts'
import { shownCourses, shownGroups } from './shown-includes.ts'
import { effective, inStock, priceIds, productTags } from './view.ts'

const PRODUCTS = '/workspaces/{workspace_id}/products'
const variant_properties = listOf(sentProperty, {
  nullable: false,
  max: 10,
  about: 'Replaces the properties: an entry with an id renames one that is there',
})

/**
 * The contract accepts them, so that a client can send back what it read. Variants and prices have endpoints of their
 * own.
 */
const ignored = listOf(data<Json>(Type.Unknown(), { nullable: true }), { nullable: true, about: 'Ignored' })

/** Number of new properties: those without an id. */
const fresh = (entries: unknown): number =>
  Array.isArray(entries) ? entries.filter((entry) => entry?.id === undefined).length : 0

/** Product: always has a default variant. */
export const productResource = serve(product, products, {
  title: 'Product',
  root: 'product',
  category: 'store',
  under: workspace,
  indexes: [{ fields: ['tag_ids'] }, { fields: ['workspace_id', 'current_path'] }],
  reads: ['image'],
  view: {
    image_id: { schema: nullableString, of: ({ image_ids: [first] }) => (first === undefined ? null : String(first)) },
    price_ids: { schema: Type.Array(Type.Integer()), of: ({ id }, load) => priceIds('product_id', id, load) },
  },
  operations: {
    listProducts: list(PRODUCTS, {
      filters: {
        id: byId,
        visible_in_store: flagFilter('visible_in_store'),
        visible_in_customer_center: flagFilter('visible_in_customer_center'),
        archived: flagFilter('archived'),
      },
    }),
    createProducts: creates(PRODUCTS, {
      input: { variant_properties },
      makes: { current_path: pathFrom('product', 'product') },
      ids: ({ variant_properties: entries }) => 1 + fresh(entries),
    }),
    getProducts: show('/products/{id}'),
    updateProducts: changes('/products/{id}', {
      input: { variant_properties, variant_ids: ignored, price_ids: ignored },
      wanted: ({ fields: { variant_ids, price_ids, ...wanted } }) => wanted,
      ids: ({ variant_properties: entries }) => fresh(entries),
    }),
    archiveProducts: asks('/products/{id}/archive', 'archive', { consequence: 'takes something off the market' }),
    unarchiveProducts: asks('/products/{id}/unarchive', 'unarchive', {
      consequence: 'puts something on the market again',
    }),
  },
  publishes: {
    '$product.created': { on: ['ProductCreated'], about: 'A product was created.', alias: true },
    '$product.updated': {
      on: settingEvents(product),
      unlessWith: ['ProductCreated'],
      about: 'A field of a product changed, or it was archived or unarchived.',
      alias: true,
    },
  },
})

const application = Type.Object({ public_id: Type.String(), trusted_skus: Type.Array(Type.String()) })
const VARIANTS = '/products/{product_id}/variants'

const input = {
  properties_values: listOf(sentValue, { nullable: false, about: 'One for every property of the product' }),
  ...sentIncludes,
}
const writes = {
  input,
  ids: (sent: JsonObject) => added(sent.included_courses_attributes, sent.included_space_groups_attributes),
  idsOf: { name: 'products/variants/grant' },
}
const options = () => listOf(reference('products/price'), { nullable: false, initial: [], max: 100 })

/** Products::Variant: inherits from the default variant what it leaves open. */
export const variantResource = serve(variant, products, {
  title: 'Products::Variant',
  root: 'products_variant',
  category: 'store',
  under: { param: 'product_id', resource: 'product', field: 'product_id' },
  indexes: [{ fields: ['course_ids'] }, { fields: ['space_group_ids'] }],
  reads: ['image', 'asset', 'tax_category', 'fulfillments/location', 'course', 'communities/space_group'],
  view: {
    ...effective,
    // Property values are part of their variant and have no ids of their own.
    properties_value_ids: { schema: Type.Array(nullableString), of: () => [] },
    quantity: { schema: nullableInteger, of: ({ id }, load) => inStock(id, load) },
    tag_ids: { schema: Type.Array(Type.Integer()), of: ({ product_id }, load) => productTags(product_id, load) },
    included_courses: shownCourses,
    included_space_groups: shownGroups,
    price_ids: { schema: Type.Array(Type.Integer()), of: ({ id }, load) => priceIds('variant_id', id, load) },
    created_by_platform_application: { schema: nullable(application), of: () => null },
  },
  operations: {
    listProductsVariants: list(VARIANTS, {
      filters: {
        id: byId,
        visible: flagFilter('visible'),
        archived: flagFilter('archived'),
        fulfillment_required: flagFilter('fulfillment_required'),
      },
    }),
    createProductsVariants: creates(VARIANTS, writes),
    getProductsVariants: show('/products/variants/{id}'),
    updateProductsVariants: changes('/products/variants/{id}', writes),
    setProductsVariantsChangeOptions: asks('/products/variants/{id}/change_options', 'setChangeOptions', {
      consequence: 'changes what buyers can move to',
      method: 'PUT',
      beyondContract: true,
      summary: 'Sets the prices that a subscription to a price of the variant may move to',
      body: {
        root: 'products_variant',
        fields: { upgrade_price_ids: options(), downgrade_price_ids: options() },
        mode: 'change',
      },
    }),
  },
  publishes: {
    '$products.variant_created': {
      on: ['ProductCreated', 'VariantAdded'],
      about: 'A variant was added to a product, the default one with the product itself.',
      alias: 'products/variant.created',
    },
    '$products.variant_updated': {
      on: ['VariantChanged', 'VariantChangeOptionsSet'],
      about: 'A field of a variant changed.',
      alias: 'products/variant.updated',
    },
  },
})
