import type { Reader } from '../kernel/decide/rules.ts'

/** Ids of the collections of each product, for products that are in any. */
export const collectionIdsOf = async (
  productIds: readonly number[],
  { documents }: Reader,
): Promise<ReadonlyMap<number, readonly number[]>> => {
  const found = new Map<number, number[]>()
  await Promise.all(
    [...new Set(productIds)].map(async (product_ids) => {
      const collections = await documents.find('products/collection', { where: { product_ids } })
      if (collections.length > 0)
        found.set(
          product_ids,
          collections.map(({ id }) => Number(id)),
        )
    }),
  )
  return found
}
