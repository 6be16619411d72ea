import type { Reader } from '../../kernel/decide/rules.ts'
import type { RecordOf } from '../../kernel/model/model.ts'
import { product, variant } from './model.ts'

type Variant = RecordOf<typeof variant>

/** Attributes that a variant inherits from the default variant while its own are null (spec 2.3). */
const INHERITED = [
  'product_type',
  'sku',
  'taxable',
  'tax_category_id',
  'description',
  'weight',
  'weight_unit',
  'height',
  'width',
  'length',
] as const

/** Returns variants with the values they inherit from the default variants of their products. */
export const effectiveVariants = async (variants: readonly Variant[], read: Reader): Promise<readonly Variant[]> => {
  const products = await read.many(product, [...new Set(variants.map(({ product_id }) => product_id))])
  const defaults = await read.many(
    variant,
    products.map(({ default_variant_id }) => default_variant_id),
  )
  const defaultOf = new Map(defaults.map((one) => [one.product_id, one]))
  return variants.map((one) => {
    const from = defaultOf.get(one.product_id)
    if (!from || one.default) return one
    return { ...one, ...Object.fromEntries(INHERITED.map((name) => [name, one[name] ?? from[name]])) }
  })
}
