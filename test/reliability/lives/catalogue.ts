import type { Document } from '../../../domain/kernel/ports/read-models.ts'
import { fromMinor } from '../../../domain/kernel/values/money.ts'

export const CURRENCY = 'USD'
export const VARIANT = 11
export const PRODUCT = 3

/** Prices of a subscription by their ids, in minor units for each piece. */
export const PRICES: ReadonlyMap<number, { readonly minor: bigint; readonly interval: string }> = new Map([
  [21, { minor: 1000n, interval: 'months' }],
  [22, { minor: 3001n, interval: 'months' }],
  [23, { minor: 100_000n, interval: 'years' }],
  [24, { minor: 799n, interval: 'weeks' }],
  [25, { minor: 499n, interval: 'months' }],
  [26, { minor: 2500n, interval: 'quarters' }],
])

/** Returns the text of an amount. */
export const money = (minor: bigint): string => fromMinor(minor, CURRENCY)

/** Returns the terms that the buyer of a price agrees to. */
export const termsOf = (id: number) => {
  const { minor, interval } = PRICES.get(id)!
  return { amount: money(minor), payment_type: 'subscription', interval, interval_count: 1 }
}

/** Returns the documents of a product whose subscriptions may move between all prices. */
export const catalogueOf = (workspace_id: number): readonly [collection: string, Document][] => [
  ['product', { id: PRODUCT, workspace_id, default_variant_id: VARIANT, archived: false }],
  [
    'products/variant',
    {
      ...{ id: VARIANT, workspace_id, product_id: PRODUCT, default: true, archived: false, product_type: 'digital' },
      ...{ upgrade_price_ids: [...PRICES.keys()], downgrade_price_ids: [] },
    },
  ],
  ...[...PRICES.keys()].map((id): [string, Document] => [
    'products/price',
    {
      ...{ id, workspace_id, product_id: PRODUCT, variant_id: VARIANT, archived: false, duration: null },
      ...termsOf(id),
    },
  ]),
]
