/** That money was given back at a gateway, in our words. */
export interface Notice {
  /** The charge. */
  readonly external_id: string
  /** All that was given back of it so far: decimal, in the scale of the currency. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
}
