import { group, integer, list, reference } from '../kernel/model/fields.ts'

/** So many things can be ordered at once. */
export const MOST_LINES = 100

/** What is ordered, as clients send it. */
export const linesSent = list(
  group({
    variant_id: reference('products/variant', { required: true }),
    products_price_id: reference('products/price', { required: true }),
    quantity: integer({ required: true, min: 1, max: 1_000_000 }),
  }),
  { required: true, max: MOST_LINES },
)
