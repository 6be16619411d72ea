export { price } from './price/model.ts'
export { product, variant } from './product/model.ts'
