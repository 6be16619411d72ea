import { Type } from 'typebox'
import type { Document } from '../../kernel/ports/read-models.ts'
import type { JsonObject } from '../../kernel/values/event.ts'
import { read } from '../../resources/operations.ts'
import { picker } from '../../resources/pick.ts'
import { readOnly } from '../../resources/read-only.ts'
import type { ReadInput } from '../../resources/read-operation.ts'
import { nullableString } from '../../resources/schemas.ts'
import type { Loader } from '../../resources/view-types.ts'
import { PRICE_MINIMAL, priceMinimal } from './shapes.ts'

const naming = { id: Type.Integer(), public_id: nullableString, name: nullableString }
const group = Type.Object({
  products_variant: Type.Object({
    ...naming,
    product_id: Type.Integer(),
    prices: Type.Array(priceMinimal.schema),
  }),
})
/** Key that wraps the answer. */
const ROOT = 'products_prices_change_options'
const schema = Type.Object({
  [ROOT]: Type.Object({ upgrade: Type.Array(group), downgrade: Type.Array(group) }),
})
const pickPrice = picker(Object.keys(PRICE_MINIMAL))
const pickVariant = picker([...Object.keys(naming), 'product_id'])

const idsIn = (value: unknown): number[] => (Array.isArray(value) ? value.map(Number) : [])

/** Groups prices by variant, in the order in which they were set. Archived prices are left out. */
const grouped = async (ids: readonly number[], load: Loader): Promise<JsonObject[]> => {
  const byVariant = new Map<number, Document[]>()
  for (const one of await load.many('products/price', ids)) {
    if (one.archived === true) continue
    const variantId = Number(one.variant_id)
    byVariant.set(variantId, [...(byVariant.get(variantId) ?? []), one])
  }
  const variants = await load.many('products/variant', [...byVariant.keys()])
  return variants.map((one) => ({
    products_variant: { ...pickVariant(one), prices: (byVariant.get(Number(one.id)) ?? []).map(pickPrice) },
  }))
}

const readOptions = async ({ owner, load }: ReadInput) => {
  const variant = await load.one('products/variant', Number(owner?.variant_id))
  const targets = (name: string) =>
    grouped(
      idsIn(variant?.[name]).filter((id) => id !== owner?.id),
      load,
    )
  const [upgrade, downgrade] = await Promise.all([targets('upgrade_price_ids'), targets('downgrade_price_ids')])
  return { [ROOT]: { upgrade, downgrade } }
}

/** Products::Prices::ChangeOption: the prices to which a subscription may move, from the variant of its price. */
export const changeOptionResource = readOnly({
  name: 'products/prices/change_option',
  title: 'Products::Prices::ChangeOption',
  root: ROOT,
  category: 'store',
  under: { param: 'price_id', resource: 'products/price', field: 'price_id' },
  view: { schema, present: (document) => document },
  operations: {
    listProductsPricesChangeOptions: read('/products/prices/{price_id}/change_options', {
      schema,
      read: readOptions,
      summary: 'The prices that a subscription to this one may move to, by variant',
    }),
  },
})
