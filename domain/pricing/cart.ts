/** One line of a cart, an order or an invoice. */
export interface CartLine {
  /** Names it in what comes back. Each once; kept with the line, it decides who gets the last unit of what is shared out. */
  readonly key: string
  readonly product_id: number
  readonly variant_id: number
  /** Collections that the product is in. */
  readonly collection_ids: readonly number[]
  /** At least 1. */
  readonly quantity: number
  /** Of one piece, in minor units; not negative. */
  readonly unit: bigint
  /** `false`: no tax is on it. Default: `true`. */
  readonly taxable?: boolean
}

/** What pricing reads of a discount: a record of `discount` is one. */
export interface DiscountTerms {
  readonly id: number
  readonly discount_method: 'percentage' | 'fixed' | 'shipping' | 'bogo'
  /** A decimal, 0.01 to 100. */
  readonly percent: string | null
  /** A decimal of `currency`. */
  readonly amount: string | null
  /** ISO 4217, in either case. */
  readonly currency: string
  readonly applies_to: 'all_products' | 'specific_products' | 'specific_variants' | 'specific_collections'
  readonly product_ids: readonly number[]
  readonly variant_ids: readonly number[]
  readonly products_collection_ids: readonly number[]
  readonly require_minimum_spend: boolean
  /** In whole units of `currency`. */
  readonly require_minimum_spend_amount: number | null
  /** So many lines at most are discounted; `null`: all. */
  readonly discounts_per_redemption: number | null
}

/** A tax that is added to a price. */
export interface TaxRate {
  /** Names it in the reasons: each once. */
  readonly key: string
  /** A decimal, such as `19` or `8.875`. */
  readonly percent: string
}

/** The taxes on a line, or on shipping. What asks others for them does so before. */
export type Tax = (on: CartLine | 'shipping') => readonly TaxRate[]

/** What is to be priced. */
export interface Cart {
  readonly lines: readonly CartLine[]
  /** In any order: see `discountCart` for the one in which they count. */
  readonly discounts: readonly DiscountTerms[]
  /** In minor units; 0 when nothing is shipped. */
  readonly shipping: bigint
  /** Default: none. */
  readonly tax?: Tax
  /** ISO 4217, in either case. */
  readonly currency: string
}

/** Why a discount takes nothing from a cart. */
export type Unused = 'currency' | 'minimum_spend' | 'scope' | 'nothing_left'

/** Where an amount comes from; negative for discounts. `line` is `null` for shipping. In minor units. */
export type Reason =
  | { readonly what: 'price'; readonly line: string; readonly amount: bigint }
  | { readonly what: 'shipping'; readonly line: null; readonly amount: bigint }
  | {
      readonly what: 'discount'
      readonly line: string | null
      readonly discount_id: number
      readonly amount: bigint
    }
  | { readonly what: 'tax'; readonly line: string | null; readonly tax_rate: string; readonly amount: bigint }

/** What is charged for one thing, in minor units. */
export interface Charged {
  /** Before discounts and taxes. */
  readonly subtotal: bigint
  /** What discounts take from it: not negative, and not more than the subtotal. */
  readonly discount: bigint
  /** What is left: `subtotal - discount`. */
  readonly net: bigint
  /** On top of what is left. */
  readonly tax: bigint
}

/** A line of a cart with what it comes to. */
export interface PricedLine extends Charged {
  readonly key: string
}

/** What a cart comes to, in minor units. */
export interface PricedCart {
  /** In the order of the cart. */
  readonly lines: readonly PricedLine[]
  readonly shipping: Charged
  readonly totals: {
    /** Of the lines, before discounts. */
    readonly subtotal: bigint
    /** Of lines and shipping. */
    readonly discount: bigint
    /** After discounts. */
    readonly shipping: bigint
    /** Of lines and shipping. */
    readonly tax: bigint
    /** `subtotal` and shipping without discounts, with taxes: what is to be paid. */
    readonly total: bigint
  }
  /** Add up to the total. */
  readonly reasons: readonly Reason[]
  /** Discounts that take nothing, each with why. */
  readonly unused: readonly { readonly discount_id: number; readonly why: Unused }[]
}
