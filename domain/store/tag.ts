import { byId, list, show } from '../resources/operations.ts'
import { record } from '../resources/record.ts'
import { tag } from '../resources/tag.ts'
import { changes, creates, removes } from '../resources/writes.ts'

const TAGS = '/workspaces/{workspace_id}/products/tags'

/** Products::Tag: a name to put on products, unique in its workspace. */
export const productTag = record({
  name: 'products/tag',
  title: 'Products::Tag',
  root: 'products_tag',
  category: 'store',
  ...tag,
  events: {
    ProductsTagCreated: { creates: true },
    ProductsTagChanged: { changes: 'rest' },
    ProductsTagRemoved: { ends: true },
  },
  operations: {
    listProductsTags: list(TAGS, { filters: { id: byId } }),
    createProductsTags: creates(TAGS),
    getProductsTags: show('/products/tags/{id}'),
    updateProductsTags: changes('/products/tags/{id}'),
    removeProductsTags: removes('/products/tags/{id}'),
  },
})
