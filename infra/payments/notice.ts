/** A refund that was made at a gateway, in our terms. */
export interface Notice {
  /** Id of the charge. */
  readonly external_id: string
  /** Total refunded of it so far: decimal, in the scale of the currency. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
}
