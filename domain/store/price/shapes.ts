import { Type } from 'typebox'
import { nullableInteger, nullableString } from '../../resources/schemas.ts'
import { shape } from '../../resources/view.ts'

const naming = { id: Type.Integer(), public_id: nullableString, name: nullableString }

export const PRICE_MINIMAL = {
  ...naming,
  key: nullableString,
  amount: Type.String(),
  currency: Type.String(),
  duration: nullableInteger,
  interval: nullableString,
  interval_count: nullableInteger,
} as const

/** Price inside other records (contract schema: ProductsPriceMinimal). */
export const priceMinimal = shape(PRICE_MINIMAL)

/** Price with name, amount and kind. */
export const priceNamed = shape({
  ...naming,
  currency: Type.String(),
  payment_type: nullableString,
  amount: Type.String(),
})

/** Variant inside an order. */
export const variantMinimal = shape({ ...naming, description: nullableString, sku: nullableString })
