import { tagsLeave } from '../kinds/tag.ts'
import { products } from './product/rules.ts'

export const tagsLeaveProducts = tagsLeave({
  name: 'tags-leave-products',
  on: 'ProductsTagRemoved',
  aggregate: products,
  wanted: (tag_id) => ({ tag_id }),
})
