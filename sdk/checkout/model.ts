import type { Address, CheckoutError, CheckoutState } from '../index.d.ts'

export interface CartLine {
  readonly variant_id: string
  readonly price_id: string
  readonly quantity: number
}

/** What the buyer has chosen. It is sent whole with every request, because the server stores no cart. */
export interface Cart {
  /** Random name of the cart of this page load. */
  readonly id: string
  readonly lines: readonly CartLine[]
  readonly coupon_codes: readonly string[]
  readonly shipping_address: Address | null
  readonly billing_address: Address | null
  readonly shipping_option_id: string | null
  readonly email?: string
}

/** A cart as the server priced it. */
export interface Priced {
  readonly state: CheckoutState
  /** Names this pricing, for the check that only what was shown is charged. */
  readonly version: string
  readonly payment_required: boolean
}

/** What a gateway needs so that the bank can ask the buyer: a secret for its script, or an address to go to. */
export type BankAction = { readonly client_secret: string } | { readonly url: string } | { readonly simulated: true }

/** How a charge stands. */
export interface Charge {
  readonly status: 'none' | 'pending' | 'action' | 'refused' | 'paid'
  readonly action?: BankAction
  readonly errors?: readonly CheckoutError[]
  readonly redirect?: string
}

export interface Contact {
  readonly email: string
  readonly first_name?: string
  readonly last_name?: string
  readonly name?: string
  readonly phone?: string
}

/** Version and total that the buyer saw when they decided to pay. */
export interface Shown {
  readonly version: string
  readonly total: number
}

export const EMPTY_STATE: CheckoutState = {
  line_items: [],
  totals: { subtotal: 0, discount: 0, tax: 0, shipping: 0, total: 0, currency: null },
  shipping: { address_required: false, options: [], selected_option_id: null },
  errors: [],
}

export const NOTHING_PRICED: Priced = { state: EMPTY_STATE, version: '', payment_required: false }

export const sdkError = (code: string, message: string): CheckoutError => ({ code, message, source: 'sdk' })

export const validationError = (code: string, message: string, field?: string): CheckoutError => ({
  code,
  message,
  ...(field !== undefined && { field }),
  source: 'validation',
})

/** How every checkout begins. */
export const EMPTY_CART: Priced & { readonly ok: true } = {
  ok: true,
  ...NOTHING_PRICED,
  state: { ...EMPTY_STATE, errors: [validationError('no_products', 'The cart is empty.')] },
}
