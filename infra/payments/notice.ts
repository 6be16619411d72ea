/** What a gateway tells by itself about a charge, in our terms. */
export type Notice = {
  /** Id of the charge. */
  readonly external_id: string
  /** Decimal, in the scale of the currency: the total refunded of the charge so far, or the amount of the failed refund. */
  readonly amount: string
  /** ISO 4217, upper case. */
  readonly currency: string
  /** Id of the refund that failed; absent where the notice is of refunds that were made. */
  readonly refund_id?: string
}

/** What a gateway tells by itself about a charge for which the bank may have asked the buyer: that there is an answer, and what was paid. */
export type BankNotice = {
  readonly answered: string
  readonly paid?: Pick<Notice, 'amount' | 'currency'>
}
