import { managed } from '../kernel/model/field.ts'
import { choice, flag, list as listOf, longText, reference, text } from '../kernel/model/fields.ts'
import { pathFrom } from '../resources/attributes/made-path.ts'
import { byId, flagFilter, list, show, workspace } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { idAsText, nullableString } from '../resources/schemas.ts'
import { changes, creates } from '../resources/writes.ts'

const COLLECTIONS = '/workspaces/{workspace_id}/products/collections'

const SORT_METHODS = [
  'manually',
  'name_asc',
  'name_desc',
  'price_desc',
  'price_asc',
  'added_at_desc',
  'added_at_asc',
  'created_at_desc',
  'created_at_asc',
] as const

const imageId = () => reference('image', { nullable: true, shown: idAsText })

/** Products::Collection: products that are shown together. */
export const productCollection = record({
  name: 'products/collection',
  title: 'Products::Collection',
  root: 'products_collection',
  category: 'store',
  under: workspace,
  attributes: {
    name: text({ required: true }),
    description: longText({ nullable: true }),
    collection_type: choice(['manual', 'automatic'], { nullable: true, initial: 'manual' }),
    product_ids: listOf(reference('product'), { nullable: true, initial: [], about: 'Replaces the products' }),
    sort_method: choice(SORT_METHODS, { nullable: true, initial: 'manually' }),
    archived: managed(flag({ initial: false })),
    image_id: imageId(),
    visible_in_store: flag({ nullable: true, initial: false }),
    current_path: managed(text()),
    seo_title: text({ nullable: true }),
    seo_description: text({ nullable: true, max: 1000 }),
    // The contract shows it as text, and no operation writes it.
    seo_indexable: managed(flag({ initial: true }), { shown: { schema: nullableString, of: String } }),
    social_image_id: imageId(),
  },
  events: {
    ProductsCollectionCreated: { creates: true, except: ['archived', 'seo_indexable'] },
    ProductsCollectionChanged: { changes: 'rest' },
  },
  unique: [{ attributes: ['current_path'], says: 'Current path has already been taken' }],
  indexes: [{ fields: ['workspace_id', 'current_path'] }, { fields: ['product_ids'] }],
  reads: ['image'],
  operations: {
    listProductsCollections: list(COLLECTIONS, {
      filters: { id: byId, visible_in_store: flagFilter('visible_in_store'), archived: flagFilter('archived') },
    }),
    createProductsCollections: creates(COLLECTIONS, {
      makes: { current_path: pathFrom('products/collection', 'collection') },
    }),
    getProductsCollections: show('/products/collections/{id}'),
    updateProductsCollections: changes('/products/collections/{id}'),
  },
})
