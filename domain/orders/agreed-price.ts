import type { RecordOf } from '../kernel/model/model.ts'
import type { price } from '../store/public.ts'

/** Terms of a recurring price on which a period is billed. */
export type AgreedPrice = {
  readonly amount: string
  readonly payment_type: string | null
  readonly interval: string | null
  readonly interval_count: number | null
}

/** Price of a line as it was when the buyer agreed to it. The order keeps it, so that later edits do not change it. */
export const agreedPrice = ({
  amount,
  payment_type,
  interval,
  interval_count,
}: RecordOf<typeof price>): AgreedPrice => ({ amount, payment_type, interval, interval_count })

type Priced = { readonly products_price_id: number; readonly agreed: AgreedPrice | null }

/** Returns the price of a line; that of the catalogue for lines that are older than agreed prices. */
export const priceOf = (
  { agreed, products_price_id }: Priced,
  catalogue: readonly RecordOf<typeof price>[],
): AgreedPrice | undefined => agreed ?? catalogue.find(({ id }) => id === products_price_id)
