/** Type of the source of what a purchase gives: the line of an invoice by which it was bought. */
export const BOUGHT = 'orders/invoices/line_item'
