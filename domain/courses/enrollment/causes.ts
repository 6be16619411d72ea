/** Type of the source of what a purchase gives. */
export const BOUGHT = 'orders/invoice'
