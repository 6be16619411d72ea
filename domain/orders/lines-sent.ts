import { group, integer, list, reference } from '../kernel/model/fields.ts'

/** Highest number of lines in one request. */
export const MOST_LINES = 100

/** Ordered lines, as clients send them. */
export const linesSent = list(
  group({
    variant_id: reference('products/variant', { required: true }),
    products_price_id: reference('products/price', { required: true }),
    quantity: integer({ required: true, min: 1, max: 1_000_000 }),
  }),
  { required: true, max: MOST_LINES },
)
