/** Line of a cart, order or invoice. */
export interface CartLine {
  /**
   * Name of the line in the result; unique. Store it with the line: it decides which line gets the last unit of an
   * amount that is shared out.
   */
  readonly key: string
  readonly product_id: number
  readonly variant_id: number
  /** Collections of the product. */
  readonly collection_ids: readonly number[]
  /** At least 1. */
  readonly quantity: number
  /** Price per unit, in minor units; not negative. */
  readonly unit: bigint
  /** `false`: exempt from tax. Default: `true`. */
  readonly taxable?: boolean
}

/** Parts of a discount that pricing reads; a record of `discount` satisfies it. */
export interface DiscountTerms {
  readonly id: number
  readonly discount_method: 'percentage' | 'fixed' | 'shipping' | 'bogo'
  /** Decimal, 0.01 to 100. */
  readonly percent: string | null
  /** Decimal in `currency`. */
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
  /** Highest number of discounted lines; `null`: no limit. */
  readonly discounts_per_redemption: number | null
}

/** Tax that is added to a price. */
export interface TaxRate {
  /** Name of the rate in the reasons; unique. */
  readonly key: string
  /** Decimal, such as `19` or `8.875`. */
  readonly percent: string
}

/** Returns the taxes on a line, or on shipping. External lookups happen before. */
export type Tax = (on: CartLine | 'shipping') => readonly TaxRate[]

/** Cart to be priced. */
export interface Cart {
  readonly lines: readonly CartLine[]
  /** In any order; `discountCart` sorts them. */
  readonly discounts: readonly DiscountTerms[]
  /** In minor units; 0 when nothing is shipped. */
  readonly shipping: bigint
  /** Default: none. */
  readonly tax?: Tax
  /** ISO 4217, in either case. */
  readonly currency: string
}

/** Reason for which a discount takes nothing from a cart. */
export type Unused = 'currency' | 'minimum_spend' | 'scope' | 'nothing_left'

/** Source of an amount, in minor units; negative for discounts. `line` is `null` for shipping. */
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

/** Charge for a line or for shipping, in minor units. */
export interface Charged {
  /** Before discounts and taxes. */
  readonly subtotal: bigint
  /** Total of its discounts: from 0 to the subtotal. */
  readonly discount: bigint
  /** `subtotal - discount`. */
  readonly net: bigint
  /** Tax on `net`. */
  readonly tax: bigint
}

/** Line of a cart with its charge. */
export interface PricedLine extends Charged {
  readonly key: string
}

/** Priced cart, in minor units. */
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
    /** Amount to pay: `subtotal` and shipping, less discounts, plus taxes. */
    readonly total: bigint
  }
  /** The amounts add up to the total. */
  readonly reasons: readonly Reason[]
  /** Discounts that take nothing, with the reason. */
  readonly unused: readonly { readonly discount_id: number; readonly why: Unused }[]
}
