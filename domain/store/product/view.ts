import { Type } from 'typebox'
import { available } from '../../inventory/public.ts'
import { stock } from '../../inventory/stock/model.ts'
import { recordOf } from '../../kernel/model/fold.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import type { Loader } from '../../resources/view-types.ts'
import type { variant } from './model.ts'

const openStock = recordOf(stock)

/** Unit of variants without a weight unit: the contract always shows one. */
const WEIGHT_UNIT = 'kg'

/** Ids of the prices of a product or variant. */
export const priceIds = async (field: string, id: number, load: Loader): Promise<number[]> =>
  (await load.where('products/price', field, id)).map((one) => Number(one.id))

const numbers = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

/** Quantity of a variant for sale; `null` where its stock is not counted. */
export const inStock = async (variantId: number, load: Loader): Promise<number | null> => {
  const [found] = await load.where('fulfillments/stock', 'variant_id', variantId, 1)
  return found ? available(openStock(found)) : null
}

/** Tags of the product, which its variants share. */
export const productTags = async (productId: number, load: Loader): Promise<number[]> =>
  numbers((await load.one('product', productId))?.tag_ids)

const inherited = async (
  record: RecordOf<typeof variant>,
  name: 'product_type' | 'weight_unit',
  load: Loader,
  otherwise: string,
): Promise<string> => {
  const own = record[name]
  if (own !== null || record.default) return own ?? otherwise
  const parent = await load.one('product', record.product_id)
  const from = await load.one('products/variant', Number(parent?.default_variant_id ?? 0))
  return typeof from?.[name] === 'string' ? from[name] : otherwise
}

type Of = (record: RecordOf<typeof variant>, load: Loader) => Promise<string>
const part = (schema: ReturnType<typeof Type.String>, of: Of) => ({ schema, of })

/**
 * Fields that the contract never leaves empty show the inherited value. All other inherited fields show the variant's
 * own.
 */
export const effective = {
  product_type: part(Type.String({ enum: ['physical', 'digital'] }), (record, load) =>
    inherited(record, 'product_type', load, 'digital'),
  ),
  weight_unit: part(Type.String(), (record, load) => inherited(record, 'weight_unit', load, WEIGHT_UNIT)),
}
