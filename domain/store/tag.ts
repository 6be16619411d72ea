import { byId } from '../resources/operations.ts'
import { tag } from '../resources/tag.ts'

/** Products::Tag: a label for products, unique in its workspace. */
export const productTag = tag('products/tag', {
  ...{ title: 'Products::Tag', root: 'products_tag', category: 'store' },
  events: ['ProductsTagCreated', 'ProductsTagChanged', 'ProductsTagRemoved'],
  paths: ['/workspaces/{workspace_id}/products/tags', '/products/tags/{id}'],
  operations: ['listProductsTags', 'createProductsTags', 'getProductsTags', 'updateProductsTags', 'removeProductsTags'],
  filters: { id: byId },
})
