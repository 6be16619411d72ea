import { type Cart, EMPTY_STATE, type Priced } from '../../../sdk/checkout/model.ts'

/** Prices a cart at 1000 a piece. */
export const pricedAs = (cart: Cart, more: Partial<Priced> = {}): Priced & { readonly ok: true } => {
  const line_items = cart.lines.map((line) => ({
    ...line,
    name: line.variant_id,
    unit_amount: 1000,
    line_amount: 1000 * line.quantity,
  }))
  const total = line_items.reduce((sum, { line_amount }) => sum + line_amount, 0)
  const totals = { ...EMPTY_STATE.totals, subtotal: total, total, currency: 'USD' }
  return {
    ok: true,
    state: { ...EMPTY_STATE, line_items, totals },
    version: `v${total}`,
    payment_required: true,
    ...more,
  }
}
