import fc from 'fast-check'
import type { Cart, CartLine, DiscountTerms, Tax, TaxRate } from '../../../domain/pricing/public.ts'

/** A discount on everything, with these changes. */
export const discountOf = (more: Partial<DiscountTerms> = {}): DiscountTerms => ({
  id: 1,
  discount_method: 'percentage',
  percent: '10',
  amount: null,
  currency: 'usd',
  applies_to: 'all_products',
  product_ids: [],
  variant_ids: [],
  products_collection_ids: [],
  require_minimum_spend: false,
  require_minimum_spend_amount: null,
  discounts_per_redemption: null,
  ...more,
})

/** One piece of product 1 at 10.00, with these changes. */
export const lineOf = (key: string, more: Partial<CartLine> = {}): CartLine => ({
  key,
  product_id: 1,
  variant_id: 1,
  collection_ids: [],
  quantity: 1,
  unit: 1000n,
  ...more,
})

/** Currencies with their decimal places. */
export const CURRENCIES = { USD: 2, EUR: 2, JPY: 0, KRW: 0, KWD: 3 } as const

const ids = fc.uniqueArray(fc.integer({ min: 1, max: 4 }), { maxLength: 3 })

const line: fc.Arbitrary<Omit<CartLine, 'key'>> = fc.record({
  product_id: fc.integer({ min: 1, max: 4 }),
  variant_id: fc.integer({ min: 1, max: 6 }),
  collection_ids: ids,
  quantity: fc.oneof(fc.integer({ min: 1, max: 5 }), fc.integer({ min: 1, max: 1_000_000 })),
  unit: fc.oneof(fc.bigInt(0n, 30n), fc.bigInt(0n, 10n ** 12n)),
  taxable: fc.boolean(),
})

const lines = fc
  .array(line, { maxLength: 8 })
  .map((all): CartLine[] => all.map((one, index) => ({ ...one, key: String(index) })))

const hundredths = fc.integer({ min: 1, max: 10_000 }).map((value) => (value / 100).toFixed(2))
const amountIn = (scale: number) =>
  fc
    .oneof(fc.integer({ min: 1, max: 5000 }), fc.integer({ min: 1, max: 10 ** 9 }))
    .map((value) => (value / 10 ** scale).toFixed(scale))

const discounts = (currency: string, scale: number) =>
  fc
    .array(
      fc.record({
        discount_method: fc.constantFrom('percentage', 'fixed', 'shipping', 'bogo'),
        percent: hundredths,
        amount: amountIn(scale),
        has: fc.constantFrom('percent', 'amount', 'neither'),
        applies_to: fc.constantFrom('all_products', 'specific_products', 'specific_variants', 'specific_collections'),
        product_ids: ids,
        variant_ids: ids,
        products_collection_ids: ids,
        require_minimum_spend: fc.boolean(),
        require_minimum_spend_amount: fc.integer({ min: 1, max: 1000 }),
        discounts_per_redemption: fc.option(fc.integer({ min: 1, max: 4 })),
      }),
      { maxLength: 4 },
    )
    .map((all) =>
      all.map(({ has, percent, amount, ...one }, index): DiscountTerms => {
        const says = one.discount_method === 'percentage' ? 'percent' : one.discount_method === 'fixed' ? 'amount' : has
        return {
          ...one,
          id: index + 1,
          currency: currency.toLowerCase(),
          percent: says === 'percent' ? percent : null,
          amount: says === 'amount' ? amount : null,
        }
      }),
    )

const rate: fc.Arbitrary<TaxRate> = fc.record({ key: fc.constantFrom('vat', 'city'), percent: hundredths })

const taxes: fc.Arbitrary<Tax> = fc
  .record({ shipping: fc.array(rate, { maxLength: 2 }), byProduct: fc.array(fc.array(rate, { maxLength: 2 })) })
  .map(
    ({ shipping, byProduct }): Tax =>
      (on) =>
        on === 'shipping' ? shipping : (byProduct[on.product_id - 1] ?? []),
  )

/** A cart in one of five currencies, which have no, two or three decimal places. */
export const carts: fc.Arbitrary<Cart> = fc
  .constantFrom(...(Object.keys(CURRENCIES) as (keyof typeof CURRENCIES)[]))
  .chain((currency) =>
    fc.record({
      lines,
      discounts: discounts(currency, CURRENCIES[currency]),
      shipping: fc.oneof(fc.constant(0n), fc.bigInt(1n, 100_000n)),
      tax: taxes,
      currency: fc.constant(currency),
    }),
  )
