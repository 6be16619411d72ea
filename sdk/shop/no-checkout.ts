import type { CheckoutState } from '../index.d.ts'

/** The state of a checkout that the page does not have. */
export const noCheckout = (): CheckoutState => ({
  line_items: [],
  totals: { subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0, currency: null },
  shipping: { address_required: false, options: [], selected_option_id: null },
  errors: [{ code: 'no_checkout', message: 'There is no checkout on this page.', source: 'sdk' }],
})
