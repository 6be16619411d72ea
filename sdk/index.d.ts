/**
 * Types of `window.CfSdk` for authors of pages. They describe the calls; `docs/sdk.md` explains them.
 * Use: `import type {} from './millrace-sdk.d.ts'`, or list this file in `include` of the tsconfig of the page.
 */

/** What the step of this page sells. Every id is a public id. */
export interface Catalog {
  products: Product[]
  /** Products that are marked as order bumps. */
  bumpProducts: Product[]
}

export interface Product {
  id: string
  name: string
  variants: Variant[]
  /** Only of bumps. */
  bump_preheadline?: string | null
}

export interface Variant {
  id: string
  name: string
  /** `physical` needs a shipping address. */
  product_type: string | null
  prices: Price[]
}

export interface Price {
  id: string
  name: string | null
  /** Decimal, not padded: `97`, `9.5`. */
  amount: string
  /** Lower case. */
  currency: string
  payment_type: string
  interval: string | null
  interval_count: number | null
}

/** A postal address. `country` and `region` are ISO 3166 codes. */
export interface Address {
  name?: string
  organization?: string
  street: string
  street_two?: string
  city: string
  region: string
  postal_code: string
  country: string
}

/** The cart as the server priced it. All amounts are integers in the currency's minor unit. */
export interface CheckoutState {
  line_items: {
    variant_id: string
    price_id: string
    quantity: number
    name: string
    unit_amount: number
    line_amount: number
    /** What is charged later, and what of the amount is a set-up, as a sentence; missing for what is paid once. */
    terms?: string
  }[]
  totals: {
    subtotal: number
    discount: number
    tax: number
    shipping: number
    total: number
    /** Upper case; null while there is nothing to price. */
    currency: string | null
  }
  shipping: {
    address_required: boolean
    options: { id: string; name: string | null; amount: number }[]
    selected_option_id: string | null
  }
  errors: CheckoutError[]
}

/** A page that makes calls to the SDK's host, with its token, its address and the session of its visitor. */
export interface CalledPage {
  /** What was bought in this session, the first order first; nothing for everybody else. Never rejects: `orders` is missing where it failed. */
  call(path: '/orders', body: object): Promise<{ ok: boolean; orders?: Order[] }>
}

/** What a visitor has bought. All amounts are integers in the currency's minor unit. */
export interface Order {
  /** As on invoices: `#1001`. */
  number: string
  placed_at: string
  line_items: { name: string; quantity: number; line_amount: number }[]
  totals: { subtotal: number; discount: number; tax: number; shipping: number; total: number; currency: string }
  /** As it was typed in this session; null where none was. */
  shipping_address: Address | null
  billing_address: Address | null
}

export interface CheckoutError {
  code: string
  message: string
  field?: string
  source: 'validation' | 'gateway' | 'sdk'
}

/** Why a one-click offer was not sold. */
export interface OtoOutcome {
  /** `failed`: a charge was tried. */
  status: 'unavailable' | 'failed'
  message: string
  /** Whether the page may show a form with `email`, `payment-method` and `pay` for the same price. */
  recoverable: boolean
}

/** Ends a subscription. */
export type Unsubscribe = () => void

export interface Checkout {
  /** Sets the quantity of a price in the cart; 0 removes it. */
  setQuantity(variantId: string, priceId: string, quantity: number): Promise<CheckoutState>
  /** Changes what is given; what is left out stays. */
  updateState(change: {
    coupon_codes?: string[]
    shipping_address?: Address | null
    billing_address?: Address | null
  }): Promise<CheckoutState>
  /** Chooses one of `shipping.options`; null leaves the choice to the server, which takes the cheapest. */
  setShipping(optionId: string | null): Promise<CheckoutState>
  currentState(): Promise<CheckoutState>
  /** Called after every priced state, also when the SDK priced the cart anew by itself. */
  onStateChange(listener: (state: CheckoutState) => void): Unsubscribe
  /** Called with true when a change or a charge begins and with false when none is on its way. */
  onPending(listener: (pending: boolean) => void): Unsubscribe
  /** Called with the errors of a state that has some. */
  onError(listener: (errors: CheckoutError[], state: CheckoutState) => void): Unsubscribe
  /** Called on pages of offers when the offer cannot be had, or its charge failed. */
  onOtoOutcome(listener: (outcome: OtoOutcome) => void): Unsubscribe
}

/** Calls wait until the SDK has started. None throws, and no promise is ever rejected. */
export interface CfSdk {
  products(): Promise<Catalog>
  /** The page, once the server has answered: for calls of the protocol that the SDK does not make by itself. */
  page(): Promise<CalledPage>
  readonly checkout: Checkout
}

declare global {
  interface Window {
    /** Undefined until the script has run, and for good where it could not be loaded. */
    readonly CfSdk?: CfSdk
  }
}
