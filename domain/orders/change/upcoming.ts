/** Next invoice, in the currency's scale. */
export type Upcoming = {
  readonly total_amount: string
  readonly subtotal_amount: string
  readonly tax_amount: string
  readonly shipping_amount: string
  readonly discount_amount: string
  readonly currency: string
  readonly next_invoice_date: string
}
