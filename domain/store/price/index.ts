import { amount, text } from '../../kernel/model/fields.ts'
import type { WriteInput } from '../../resources/operation.ts'
import { byId, flagFilter, idFilter, list, show } from '../../resources/operations.ts'
import { serve } from '../../resources/serve.ts'
import { changes, creates } from '../../resources/writes.ts'
import { price } from './model.ts'
import { prices } from './rules.ts'

/** The rules report a missing value, in the contract's words. */
const options = {
  input: {
    amount: amount({ nullable: true, about: "Required; in the workspace's currency" }),
    currency: text({ nullable: true, about: "Ignored: a price has the workspace's currency" }),
  },
  wanted: ({ fields: { currency, ...wanted } }: Pick<WriteInput, 'fields'>) => wanted,
}

/** Products::Price. */
export const priceResource = serve(price, prices, {
  title: 'Products::Price',
  root: 'products_price',
  category: 'store',
  under: { param: 'variant_id', resource: 'products/variant', field: 'variant_id' },
  indexes: [{ fields: ['variant_id'] }, { fields: ['product_id'] }],
  operations: {
    listProductsPrices: list('/products/{product_id}/prices', {
      under: { param: 'product_id', resource: 'product', field: 'product_id' },
      filters: {
        id: byId,
        variant_id: idFilter('variant_id'),
        visible: flagFilter('visible'),
        archived: flagFilter('archived'),
      },
    }),
    createProductsPrices: creates('/products/variants/{variant_id}/prices', options),
    getProductsPrices: show('/products/prices/{id}'),
    updateProductsPrices: changes('/products/prices/{id}', { ...options, consequence: 'changes what buyers pay' }),
  },
})
