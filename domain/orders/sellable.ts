import type { Reader } from '../kernel/decide/rules.ts'
import type { RecordOf } from '../kernel/model/model.ts'
import { type price, product, variant } from '../store/public.ts'

/** Returns the ids of the prices that are for sale: neither they nor their variants and products are archived. */
export const sellableAmong = async (
  prices: readonly RecordOf<typeof price>[],
  read: Reader,
): Promise<ReadonlySet<number>> => {
  const active = prices.filter(({ archived }) => !archived)
  const [variants, products] = await Promise.all([
    read.many(variant, [...new Set(active.map(({ variant_id }) => variant_id))]),
    read.many(product, [...new Set(active.map(({ product_id }) => product_id))]),
  ])
  const idsOf = (all: readonly { readonly id: number; readonly archived: boolean }[]) =>
    new Set(all.filter(({ archived }) => !archived).map(({ id }) => id))
  const [variantIds, productIds] = [idsOf(variants), idsOf(products)]
  return new Set(
    active
      .filter(({ variant_id, product_id }) => variantIds.has(variant_id) && productIds.has(product_id))
      .map(({ id }) => id),
  )
}
