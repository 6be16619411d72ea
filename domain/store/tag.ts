import { text } from '../kernel/fields.ts'
import { byId, list, show, workspace } from '../kinds/operations.ts'
import { record } from '../kinds/record.ts'
import { changes, creates, removes } from '../kinds/writes.ts'

/** Colour of a tag that was made without one; the contract does not say, and every response has one. */
const DEFAULT_COLOR = '#94a3b8'

const TAGS = '/workspaces/{workspace_id}/products/tags'

/** Products::Tag: a name to put on products, unique in its workspace. */
export const productTag = record({
  name: 'products/tag',
  title: 'Products::Tag',
  root: 'products_tag',
  category: 'store',
  under: workspace,
  attributes: { name: text({ required: true }), color: text({ default: DEFAULT_COLOR, nullable: false }) },
  events: {
    ProductsTagCreated: { born: true },
    ProductsTagChanged: { changes: 'rest' },
    ProductsTagRemoved: { gone: true },
  },
  unique: [{ attributes: ['name'], says: 'Name has already been taken' }],
  operations: {
    listProductsTags: list(TAGS, { filters: { id: byId } }),
    createProductsTags: creates(TAGS),
    getProductsTags: show('/products/tags/{id}'),
    updateProductsTags: changes('/products/tags/{id}'),
    removeProductsTags: removes('/products/tags/{id}'),
  },
})
