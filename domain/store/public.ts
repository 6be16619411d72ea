export { price } from './price/model.ts'
export { priceMinimal, priceNamed, variantMinimal } from './price/shapes.ts'
export { product, variant } from './product/model.ts'
